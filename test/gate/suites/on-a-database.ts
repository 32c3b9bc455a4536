import { describe, expect, test } from 'vitest';
import { KeptConnection } from '../../../src/cypher/cypher-access.js';
import { type CypherAccess, CypherError } from '../../../src/cypher/cypher-connection.js';
import { countDrift } from '../../../src/gate/count-drift.js';
import { CypherSource } from '../../../src/gate/cypher/cypher-source.js';
import { CypherTarget } from '../../../src/gate/cypher/cypher-target.js';
import { isCovered, keysInUse, listConstraints } from '../../../src/gate/cypher/key-constraints.js';
import { visitDatabaseNodes } from '../../../src/gate/cypher/visit-database-nodes.js';
import { Gate } from '../../../src/gate/gate.js';
import { defaultGraph } from '../../../src/model/graph-record.js';
import { nodeNamed, person, register } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import { GraphDatabase } from '../graph-database.js';
import { useGate } from '../use-gate.js';

export function onDatabase(kind: GateKind): void {
  describe(`what only a graph database has, on ${kind.kind}`, () => {
    const context = useGate(kind);
    const databaseOf = (): GraphDatabase => {
      if (context.ground instanceof GraphDatabase) return context.ground;
      throw new Error('This is about graph databases.');
    };
    const withAccess = async <T>(work: (access: CypherAccess) => Promise<T>): Promise<T> => {
      const access = new KeptConnection({ url: databaseOf().settings.target ?? '' });
      try {
        return await work(access);
      } finally {
        await access.close();
      }
    };

    test('the stamp is in the properties that the seed of the gate names', async () => {
      await context.gate.writeNode(person('Alice', { age: 30 }, { label: ':person' }));
      const [row] = await databaseOf().run(
        `MATCH (n:Person {name: 'Alice'}) RETURN n.age AS age, n.confidence AS confidence, n.source AS source,
         n.extraction_method AS method, n.write_gate_version AS version, n.last_updated AS updated,
         n._schema_remap_from AS remapped, n._lock AS lock`,
      );
      expect(row).toEqual({
        age: 30,
        confidence: 0.675,
        source: 'test',
        method: 'manual',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        updated: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
        remapped: ':person',
        lock: null,
      });
    });

    test('a node that the gate wrote and somebody deleted is new again', async () => {
      await context.gate.writeNode(person('Katherina'));
      await context.gate.writeNode(person('Katharina', { age: 30 }));
      await databaseOf().run("MATCH (n:Person {name: 'Katharina'}) DELETE n");
      expect(await context.gate.writeNode(person('Katharina', { email: 'k@example.org' }))).toMatchObject({
        ...{ status: 'written', created: true },
        similar: [{ name: 'Katherina' }],
      });
      const props = (await databaseOf().nodes()).map((node) => node.props);
      expect(props).toContainEqual({ name: 'Katharina', email: 'k@example.org' });
    });

    test('a node that another gate wrote is found, and its conflicts too', async () => {
      const sure = { extraction_method: 'api', reliability: 1 };
      await (await context.open()).writeNode(person('Alice', { age: 30 }, sure));
      expect(await context.gate.writeNode(person('Alice', { age: 31 }))).toMatchObject({
        ...{ status: 'written', created: false },
        conflicts: [{ property: 'age', stored: { value: 30, confidence: 1 } }],
      });
      expect(await databaseOf().nodes()).toHaveLength(1);
    });

    test('a stamp that somebody damaged does not block later writes, and is replaced', async () => {
      await context.gate.writeNode(person('Alice', { age: 30 }));
      await databaseOf().run(
        `MATCH (n:Person {name: 'Alice'}) SET n.confidence = 7, n.last_updated = 'yesterday',
         n._provenance = '{"merge_keys":["name"],"origins":[{"confidence":"high"}],"properties":{"age":0}}'`,
      );
      const gate = await context.open({ formula: 'decay' });
      expect(await gate.writeNode(person('Alice', { age: 31 }, { derived_from: ['Alice'] }))).toMatchObject({
        ...{ status: 'written', created: false, confidence: 0.675 },
      });
      expect((await nodeNamed(context.ground, 'Alice')).provenance).toMatchObject({
        ...{ confidence: 0.675, last_updated: expect.stringMatching(/^\d{4}-/) },
        properties: { age: { confidence: 0.675 } },
      });
    });

    test('where very many names begin alike, those that are most alike are pointed out', async () => {
      await databaseOf().run(
        "UNWIND range(0, 999) AS i CREATE (:Person {name: 'Kaa' + toString(i)}) WITH count(*) AS all CREATE (:Person {name: 'Katharina'})",
      );
      expect(await context.gate.writeNode(person('Katharyna'))).toMatchObject({
        similar: [{ name: 'Katharina', keys: { name: 'Katharina' } }],
      });
    });

    test('whole numbers are integers, others are floats', async () => {
      await context.gate.writeNode(person('Alice', { age: 30, size: 1.5, many: [1, 2] }));
      const [row] = await databaseOf().run('MATCH (n:Person) RETURN n.age / 4 AS age, n.size / 1 AS size');
      expect(row).toEqual({ age: 7, size: 1.5 });
    });

    test('a property of others is kept, and one that the stamp would hide is not overwritten', async () => {
      await databaseOf().run(
        "CREATE (:Person {name: 'Ann', note: 'x'}), (:Person {name: 'Bob', source: 'mine'})",
      );
      expect(await context.gate.writeNode(person('Ann', { age: 3 }))).toMatchObject({ created: false });
      expect(await context.gate.writeNode(person('Bob', { age: 3 }))).toMatchObject({
        error_code: 'SCHEMA_PROTECTED_FIELD',
        details: { fields: [{ argument: 'stored', field: 'source' }] },
      });
      const props = (await databaseOf().nodes()).map((node) => node.props);
      expect(props).toContainEqual({ name: 'Ann', note: 'x', age: 3 });
      expect(props).toContainEqual({ name: 'Bob', source: 'mine' });
    });

    test.each([
      ['a map', { a: 1 }],
      ['a list of lists', [[1]]],
      ['a list with null', [1, null]],
      ['a list of two types', [1, 'a']],
    ])('%s, which it cannot hold, is rejected', async (_, value) => {
      expect(await context.gate.writeNode(person('Alice', { value }))).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
        details: { faults: [{ argument: 'properties.value' }] },
      });
      expect(await databaseOf().nodes()).toEqual([]);
    });

    test('a registry that declares a map is refused at the start', async () => {
      await register(databaseOf(), 'Place', { property_types: { where: 'map' } });
      await expect(context.open()).rejects.toMatchObject({
        code: 'SCHEMA_INVALID',
        message: expect.stringMatching(/where.* of .*Place.* is declared as a map/),
      });
    });

    test('two relationships of others between the same nodes are ambiguous', async () => {
      await databaseOf().run(
        "CREATE (a:Person {name: 'A'}), (b:Person {name: 'B'}), (a)-[:KNOWS]->(b), (a)-[:KNOWS]->(b)",
      );
      const relationship = {
        type: 'KNOWS',
        from_label: 'Person',
        from_keys: { name: 'A' },
        to_label: 'Person',
      };
      expect(
        await context.gate.writeRelationship({
          ...relationship,
          ...{ to_keys: { name: 'B' }, source: 'test', extraction_method: 'api' },
        }),
      ).toMatchObject({ error_code: 'AMBIGUOUS_MERGE' });
    });

    test('drift counts what is in the database and what was rejected', async () => {
      const gate = await context.open({ fallback_label: 'Thing' });
      await gate.writeNode(person('Rex', { colour: 'brown' }, { label: 'Dog' }));
      await context.gate.writeNode(person('Tom', {}, { label: 'Cat' }));
      const drift = await withAccess(async (access) =>
        countDrift(await new CypherSource(access).load(), {
          nodes: (visit) => visitDatabaseNodes(access, visit),
          rejections: (page) => context.store.rejections(defaultGraph, page),
        }),
      );
      expect(drift).toEqual({
        labels: [
          { name: 'Cat', count: 1 },
          { name: 'Dog', count: 1 },
        ],
        relationship_types: [],
        properties: [{ label: 'Thing', property: 'colour', count: 1 }],
      });
    });

    test('the keys that nodes were written with are known, and their constraints can be created', async () => {
      await context.gate.writeNode(person('x', {}, { label: 'Thing', merge_keys: { serial: 1 } }));
      await withAccess((access) =>
        access.use(async (connection) => {
          const entry = { required_properties: [], remaps_from: [], property_types: {} };
          const keys = await keysInUse(connection, [{ ...entry, label: 'Thing' }]);
          expect(keys).toEqual([{ label: 'Thing', properties: ['serial'] }]);
          for (const key of keys)
            for (const command of connection.dialect.constraints.create(key)) await connection.alter(command);
          const [key] = keys;
          expect(key !== undefined && isCovered(await listConstraints(connection), key)).toBe(true);
        }),
      );
    });

    test('a call whose answer was lost after its commit is not written again, and is answered', async () => {
      const answer = await withAccess(async (access) => {
        const gate = await Gate.open({ source: new CypherSource(access) });
        const unlucky = failingAfterFirst(access);
        return gate.writeNode(new CypherTarget(unlucky), { actor: 'a', tool: 'write_node' }, person('Alice'));
      });
      expect(answer).toMatchObject({ status: 'written', created: true });
      expect(await databaseOf().nodes()).toHaveLength(1);
    });
  });
}

/** The first call that is done is reported as if the connection had been lost. */
function failingAfterFirst(access: CypherAccess): CypherAccess {
  let hasFailed = false;
  return {
    name: access.name,
    async use(work) {
      const result = await access.use(work);
      if (hasFailed) return result;
      hasFailed = true;
      throw new CypherError('transient', 'The connection was lost.', undefined);
    },
    close: async () => {},
  };
}
