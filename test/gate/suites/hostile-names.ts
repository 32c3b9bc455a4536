import { describe, expect, test } from 'vitest';
import { KeptConnection } from '../../../src/cypher/cypher-access.js';
import { CypherTarget } from '../../../src/gate/cypher/cypher-target.js';
import { Gate } from '../../../src/gate/gate.js';
import { InMemorySource } from '../../../src/gate/registry/registry-snapshot.js';
import { times } from '../../helpers/full.js';
import { HostileTexts } from '../databases/hostile-text.js';
import type { GateKind } from '../gate-kinds.js';
import type { WrittenNode } from '../graph-database.js';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? Date.now() % 1_000_000);
const wanted = Number(process.env['TRELLIS_TEST_HOSTILE'] ?? times(1_000, 4_000));
const author = { actor: 'tester', tool: 'write_node' };
const origin = { source: 'test', extraction_method: 'api', reliability: 1 };
const propertiesOfEach = 100;

export function hostileNames(kind: GateKind): void {
  describe(`labels, types, names and values made to become Cypher, on ${kind.kind}`, () => {
    test(`nothing but data arrives (${wanted} texts, seed ${seed})`, async () => {
      const database = kind.database?.();
      if (database === undefined) throw new Error('Only a graph database reads Cypher.');
      await database.clear();
      await database.run("CREATE (:Sentinel {name: 'untouched'})");
      const texts = new HostileTexts(seed);
      const { target = '' } = database.settings;
      const access = new KeptConnection({ url: target });
      const { dialect } = await access.use(async (connection) => connection);
      const name = (): string => {
        for (;;) {
          const text = texts.next();
          if (dialect.nameProblem(text) === undefined) return text;
        }
      };
      const expected = new Map<string, Omit<WrittenNode, 'provenance' | 'name'>>();
      const expectedTypes = new Set<string>();
      for (let sent = 0; sent < wanted; ) {
        const labels = Array.from({ length: 20 }, name);
        const type = name();
        const gate = await Gate.open({
          source: new InMemorySource({
            nodes: labels.map((label) => ({ label })),
            relationships: [{ type }],
          }),
        });
        const ends: { label: string; keys: Record<string, string> }[] = [];
        for (const label of labels) {
          const keys = { [name()]: texts.next(), [name()]: texts.next() };
          const properties = Object.fromEntries(
            Array.from({ length: propertiesOfEach }, () => [name(), texts.next()]),
          );
          const written = await gate.writeNode(new CypherTarget(access), author, {
            ...{ label, merge_keys: keys, properties },
            ...origin,
          });
          expect(written).toMatchObject({ status: 'written', created: true });
          expected.set(label, { type: label, props: { ...properties, ...keys } });
          ends.push({ label, keys });
          sent += 5 + 2 * propertiesOfEach;
        }
        const [from, to] = ends;
        const related = await gate.writeRelationship(new CypherTarget(access), author, {
          ...{ type, from_label: from?.label, from_keys: from?.keys, to_label: to?.label, to_keys: to?.keys },
          ...{ properties: { [name()]: texts.next() }, ...origin },
        });
        expect(related).toMatchObject({ status: 'written' });
        expectedTypes.add(type);
      }
      await access.close();
      const nodes = await database.nodes();
      const [sentinel, ...others] = [
        ...nodes.filter(({ type }) => type === 'Sentinel'),
        ...nodes.filter(({ type }) => type !== 'Sentinel'),
      ];
      expect(sentinel?.props).toEqual({ name: 'untouched' });
      expect(others).toHaveLength(expected.size);
      for (const { type, props } of others) expect({ type, props }).toEqual(expected.get(type));
      const labelCounts = await database.run('MATCH (n) RETURN max(size(labels(n))) AS most');
      expect(labelCounts).toEqual([{ most: 1 }]);
      const types = (await database.edges()).map(({ type }) => type);
      expect([...types].sort()).toEqual([...expectedTypes].sort());
    });
  });
}
