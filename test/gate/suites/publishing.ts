import { describe, expect, test } from 'vitest';
import { KeptConnection } from '../../../src/cypher/cypher-access.js';
import { Graph } from '../../../src/engine/graph.js';
import { loadImport } from '../../../src/import/load-import.js';
import { defaultGraph } from '../../../src/model/graph-record.js';
import type { Store } from '../../../src/store/store-contract.js';
import { readerSource } from '../../../src/transfer/export-source.js';
import { readFromDatabase } from '../../../src/transfer/graph-database/read-from-database.js';
import { writeToDatabase } from '../../../src/transfer/graph-database/write-to-database.js';
import { MemoryTools, relation } from '../../helpers/memory-tools.js';
import { scratchStore, sqlite } from '../../helpers/stores.js';
import { GateClient, knows, person, registerPeople } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import type { GraphDatabase } from '../graph-database.js';

const author = { actor: 'tester', tool: 'import' };

export function publishing(kind: GateKind): void {
  describe(`a graph published to a database and taken from it, on ${kind.kind}`, () => {
    const databaseOf = (): GraphDatabase => {
      const database = kind.database?.();
      if (database === undefined) throw new Error('This is about graph databases.');
      return database;
    };

    async function withAccess<T>(work: (access: KeptConnection) => Promise<T>): Promise<T> {
      const access = new KeptConnection({ url: databaseOf().settings.target ?? '' });
      try {
        return await work(access);
      } finally {
        await access.close();
      }
    }

    const publish = (store: Store) =>
      withAccess((access) =>
        store.read({ graph: defaultGraph }, (reader) => writeToDatabase(readerSource(reader), access)),
      );
    const take = (store: Store) =>
      withAccess((access) =>
        access.use((connection) =>
          loadImport(new Graph(store, defaultGraph), readFromDatabase(connection, access.name), {
            author,
            batchItems: 3,
          }),
        ),
      );

    async function contentOf(store: Store): Promise<object> {
      return store.read({ graph: defaultGraph }, async (reader) => {
        const nodes = await reader.nodes({ withProvenance: true, limit: 1_000 });
        const edges = await reader.edges();
        return {
          nodes: nodes
            .filter(({ type }) => type !== 'Schema')
            .map(({ type, name, summary, tags, props, provenance }) => ({
              type,
              name,
              summary,
              tags,
              props,
              provenance,
            }))
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
          edges: edges
            .map(({ fromName, toName, type, key, weight, props, provenance }) => ({
              ...{ fromName, toName, type, key, weight, props, provenance },
            }))
            .sort((a, b) => (a.type < b.type ? -1 : 1)),
        };
      });
    }

    test('labels, properties, relationships, observations and provenance come back the same, also when repeated', async () => {
      await databaseOf().clear();
      const [from, to] = [await scratchStore(sqlite), await scratchStore(sqlite)];
      try {
        await registerPeople(from.store);
        const gate = await GateClient.direct(from.store);
        await gate.writeNode(person('Alice', { age: 30, deep: { a: [1, { b: null }] } }));
        await gate.writeNode(person('Bob', {}, { label: 'person' }));
        await gate.writeRelationship(knows('Alice', 'Bob', { properties: { since: 2020 } }));
        await gate.close();
        const memory = new MemoryTools(from.store);
        await memory.createEntities({
          name: "it's `x`",
          entityType: 'note',
          observations: ['one', "two ' \\ \n"],
        });
        await memory.createRelations(relation("it's `x`", 'Alice', 'about'));

        expect(await publish(from.store)).toMatchObject({ edges: 2 });
        const state = await databaseOf().state();
        await publish(from.store);
        expect(await databaseOf().state()).toBe(state);

        await take(to.store);
        expect(await contentOf(to.store)).toEqual(await contentOf(from.store));
        const again = await take(to.store);
        expect(again).toMatchObject({ nodesCreated: 0, edgesCreated: 0, observationsAdded: 0 });
        expect((await new MemoryTools(to.store).open("it's `x`")).entities).toMatchObject([
          { entityType: 'note', observations: ['one', "two ' \\ \n"] },
        ]);
      } finally {
        await from.dispose();
        await to.dispose();
      }
    });

    test('what others keep in the database gets names, and the registry of a gate stays there', async () => {
      await databaseOf().clear();
      await databaseOf().register('Person', {});
      await databaseOf().run(
        `CREATE (a:Person:Admin {name: 'Ann', source: 'mine'}), (b:Person {name: 'Ann'}), (c:City {title: 'Ulm'}),
         (a)-[:LIVES_IN {since: 2020}]->(c)`,
      );
      const to = await scratchStore(sqlite);
      try {
        await take(to.store);
        const nodes = await to.store.read({ graph: defaultGraph }, (reader) => reader.nodes());
        expect(nodes.map(({ type, name }) => `${type} ${name}`).sort()).toEqual([
          'City Ulm',
          'Person Ann',
          'Person Ann (Person)',
        ]);
        expect(nodes.find(({ tags }) => tags.length > 0)).toMatchObject({
          tags: ['Admin'],
          props: { source: 'mine' },
        });
        const edges = await to.store.read({ graph: defaultGraph }, (reader) => reader.edges());
        expect(edges).toMatchObject([{ type: 'LIVES_IN', toName: 'Ulm', props: { since: 2020 } }]);
      } finally {
        await to.dispose();
      }
    });
  });
}
