import { describe, expect, test } from 'vitest';
import { KeptConnection } from '../../../src/cypher/cypher-access.js';
import { CypherTarget } from '../../../src/gate/cypher/cypher-target.js';
import { Gate } from '../../../src/gate/gate.js';
import { InMemorySource } from '../../../src/gate/registry/registry-snapshot.js';
import { times } from '../../helpers/full.js';
import type { DatabaseServer } from '../databases/describe-graph-database.js';
import type { GateKind } from '../gate-kinds.js';
import type { GraphDatabase } from '../graph-database.js';

const gates = 4;
const writesOfEach = Number(process.env['TRELLIS_TEST_GATE_WRITES'] ?? times(25, 100));
/** Few, so that the gates meet. */
const people = 40;
const origin = { source: 'test', extraction_method: 'api', reliability: 1 };
const author = { actor: 'tester', tool: 'write_node' };
const registry = {
  nodes: [{ label: 'Person', required_properties: ['name'] }, { label: 'Note' }],
  relationships: [{ type: 'HAS' }],
};

/** What the gates were told was written: the person and the property, or the person and the note. */
interface Acknowledged {
  readonly properties: Set<string>;
  readonly notes: Set<string>;
}

export function manyGates(kind: GateKind, server: DatabaseServer): void {
  describe(`${gates} gates that write the same nodes, on ${kind.kind}`, () => {
    const databaseOf = (): GraphDatabase => {
      const database = kind.database?.();
      if (database === undefined) throw new Error('This is about graph databases.');
      return database;
    };

    test('leave no duplicate, and keep what they acknowledged and nothing else', async () => {
      const database = databaseOf();
      await prepare(database);
      const acknowledged = await writeAll(database, async () => {});
      const kept = await keptIn(database);
      expect(acknowledged.properties.size + acknowledged.notes.size).toBe(gates * writesOfEach);
      expect(kept).toEqual(acknowledged);
    });

    test('lose nothing acknowledged and leave nothing half written when the database is killed', async () => {
      const database = databaseOf();
      await prepare(database);
      let calls = 0;
      let restarted: Promise<unknown> | undefined;
      const acknowledged = await writeAll(database, async () => {
        calls += 1;
        if (calls === Math.floor((gates * writesOfEach) / 3))
          restarted = server.kill().then(() => server.start());
      });
      await restarted;
      const kept = await keptIn(database);
      for (const one of acknowledged.properties) expect(kept.properties).toContain(one);
      for (const one of acknowledged.notes) expect(kept.notes).toContain(one);
      expect(acknowledged.properties.size).toBeGreaterThan(0);
    });
  });
}

async function prepare(database: GraphDatabase): Promise<void> {
  await database.clear();
  const { target = '' } = database.settings;
  const access = new KeptConnection({ url: target });
  await access.use(async (connection) => {
    for (const command of connection.dialect.constraints.create({ label: 'Person', properties: ['name'] }))
      await connection.alter(command);
  });
  await access.close();
}

async function writeAll(database: GraphDatabase, before: () => Promise<void>): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { properties: new Set(), notes: new Set() };
  const { target = '' } = database.settings;
  await Promise.all(
    Array.from({ length: gates }, async (_, number) => {
      const access = new KeptConnection({ url: target });
      const gate = await Gate.open({ source: new InMemorySource(registry) });
      for (let index = 0; index < writesOfEach; index += 1) {
        await before();
        const name = `p${(index * 7 + number) % people}`;
        const id = `w${number}_${index}`;
        const isNote = index % 5 === 4;
        try {
          const written = isNote
            ? await gate.writeRelationship(new CypherTarget(access), author, {
                ...{
                  type: 'HAS',
                  from_label: 'Person',
                  from_keys: { name },
                  to_label: 'Note',
                  to_keys: { id },
                },
                ...{ endpoint_policy: 'merge_endpoints', ...origin },
              })
            : await gate.writeNode(new CypherTarget(access), author, {
                ...{ label: 'Person', merge_keys: { name }, properties: { [id]: true }, ...origin },
              });
          expect(written).toMatchObject({ status: 'written' });
          (isNote ? acknowledged.notes : acknowledged.properties).add(`${name} ${id}`);
        } catch (error) {
          // While the database is away, a call may fail; then nothing was promised.
          expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
        }
      }
      await access.close();
    }),
  );
  return acknowledged;
}

/** Also checks that there are no duplicates, and that everything written is complete. */
async function keptIn(database: GraphDatabase): Promise<Acknowledged> {
  const nodes = await database.nodes();
  const persons = nodes.filter(({ type }) => type === 'Person');
  expect(new Set(persons.map(({ name }) => name)).size).toBe(persons.length);
  const properties = new Set<string>();
  for (const { name, props, provenance } of nodes) {
    expect(provenance?.source).toBe('test');
    for (const property of Object.keys(props)) {
      if (property === '_stub') continue;
      expect(provenance?.properties, property).toHaveProperty([property]);
      if (property.startsWith('w')) properties.add(`${name} ${property}`);
    }
  }
  const edges = await database.edges();
  const notes = new Set(edges.map(({ fromName, toName }) => `${fromName} ${toName}`));
  expect(notes.size).toBe(edges.length);
  // A note without its relationship would be half a write.
  expect(nodes.filter(({ type }) => type === 'Note')).toHaveLength(edges.length);
  for (const { provenance } of edges) expect(provenance?.source).toBe('test');
  return { properties, notes };
}
