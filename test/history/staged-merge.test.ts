import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MergeConflictError } from '../../src/engine/history/merge/conflict.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { undo } from '../../src/engine/history/undo.js';
import { sql } from '../../src/store/sql/sql.js';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import type { Store } from '../../src/store/store-contract.js';
import { author, changedStore, email, fillWithLargeBranch, graph, schema } from '../helpers/large-branch.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';

/** What the tables say, without the numbers of rows and times. */
async function tablesOf(path: string): Promise<unknown> {
  const connection = new SqliteConnection(path, { readOnly: true });
  try {
    return {
      nodes: await connection.all(
        sql`select node, branch, born, died, type, name, stub, props, order_seq, order_position from node_row
          order by node, branch, born`,
      ),
      observations: await connection.all(
        sql`select node, ordinal, branch, born, died, text from observation_row order by node, ordinal, branch, born`,
      ),
      edges: await connection.all(
        sql`select from_node, to_node, type, key, branch, born, died, order_seq, order_position from edge_row
          order by from_node, to_node, type, key, branch, born`,
      ),
      identities: await connection.all(sql`select * from identity order by node, type, name`),
      values: await connection.all(
        sql`select p.property, p.value, r.node, r.branch, r.born from property_value p
          left join node_row r on r.row = p.row order by p.property, p.value, r.node, r.branch, r.born`,
      ),
      properties: await connection.all(sql`select hash, node from node_property order by hash, node`),
      touched: await connection.all(sql`select branch, seq, kind, ref from touched order by 1, 2, 3, 4`),
      commits: await connection.all(sql`select seq, branch, counts from commit_log order by seq`),
      integrity: await connection.all(sql`pragma integrity_check`),
    };
  } finally {
    connection.close();
  }
}

describe('a merge whose rows are worked out before its write', () => {
  let opened: Scratch[];
  const open = async () => {
    const scratch = await scratchStore(sqlite);
    opened.push(scratch);
    await fillWithLargeBranch(scratch.store);
    return scratch;
  };
  beforeEach(() => {
    opened = [];
  });
  afterEach(async () => {
    for (const scratch of opened) await scratch.dispose();
  });

  const mergeAndUndo = async (store: Store, source = 'draft') => {
    const { commit } = await mergeBranches(store, { graph, source, author });
    await undo(store, { graph, commits: [commit?.id ?? ''], author });
  };

  test('leaves the same rows as one that works them out inside, and so does its undo', async () => {
    const [staged, plain, inside] = [await open(), await open(), await open()];
    let stagings = 0;
    const stageNodes: Store['stageNodes'] = async (...given) => {
      const rows = await staged.store.stageNodes(...given);
      if (rows !== undefined) stagings += 1;
      return rows;
    };
    await mergeAndUndo(changedStore(staged.store, { stageNodes }));
    await mergeAndUndo(changedStore(plain.store, { stageNodes: async () => undefined }));
    // Staged rows that only another thread sees are worked out again.
    const writePlanned: Store['writePlanned'] = (target, by, planned, stamp) =>
      inside.store.writePlanned({ ...target, rows: 0 }, by, planned, stamp);
    await mergeAndUndo(changedStore(inside.store, { writePlanned }));
    expect(stagings).toBe(2);
    const tables = await tablesOf(staged.path);
    expect(tables).toMatchObject({ integrity: [{ integrity_check: 'ok' }] });
    expect(tables).toEqual(await tablesOf(plain.path));
    expect(tables).toEqual(await tablesOf(inside.path));
  });

  test('enters properties that are indexed between staging and writing', async () => {
    const { store, path } = await open();
    const valueType = { kind: 'scalar', scalar: 'I32', nullable: true } as const;
    const stageNodes: Store['stageNodes'] = async (...given) => {
      const rows = await store.stageNodes(...given);
      await store.write({ graph, branch: 'draft' }, author, (writer) =>
        writer.indexProperties([{ type: 'Person', property: 'age', valueType }]),
      );
      return rows;
    };
    await mergeBranches(changedStore(store, { stageNodes }), { graph, source: 'draft', author });
    const connection = new SqliteConnection(path, { readOnly: true });
    const missing = await connection.all(
      sql`select r.node from node_row r where r.died is null and r.branch = 1 and r.props ->> 'age' is not null
        and (select count(*) from property_value p where p.row = r.row) <> 3`,
    );
    connection.close();
    expect(missing).toEqual([]);
  });

  test('is refused as a whole if the result breaks the schema, and others can stage afterwards', async () => {
    const { store } = await open();
    const unique = 'node Person { email: String @key  age: I32?  city: String? @index @unique }';
    await store.write({ graph }, author, (writer) => writer.setSchema(unique));
    const before = await store.commits({ graph }, { limit: 1 });
    const refused = await mergeBranches(store, { graph, source: 'draft', author }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(MergeConflictError);
    expect(await store.commits({ graph }, { limit: 1 })).toEqual(before);
    await store.write({ graph }, author, (writer) => writer.setSchema(schema));
    expect((await mergeBranches(store, { graph, source: 'draft', author })).outcome).toBe('merged');
  });

  test('of new nodes leaves the same rows as one on the main thread, and so does its undo', async () => {
    const [threaded, inside] = [await open(), await open()];
    for (const { store } of [threaded, inside]) await addOnBranch(store);
    await mergeAndUndo(threaded.store, 'new');
    const writePlanned: Store['writePlanned'] = (target, by, planned, stamp) =>
      inside.store.writePlanned({ ...target, rows: 0 }, by, planned, stamp);
    await mergeAndUndo(changedStore(inside.store, { writePlanned }), 'new');
    const tables = await tablesOf(threaded.path);
    expect(tables).toMatchObject({ integrity: [{ integrity_check: 'ok' }] });
    expect(tables).toEqual(await tablesOf(inside.path));
  });

  test('ends what it removes at its own number, in however many steps', async () => {
    const { store, path } = await open();
    await addOnBranch(store);
    await mergeAndUndo(store, 'new');
    const connection = new SqliteConnection(path, { readOnly: true });
    const ends = await connection.all(
      sql`select distinct died from edge_row where died is not null order by died`,
    );
    const newest = await connection.all(sql`select max(seq) as died from commit_log`);
    connection.close();
    expect(ends).toEqual(newest);
  });

  test('of new nodes leaves counters beyond the ordinals, for those who observe afterwards', async () => {
    const { store } = await open();
    await addOnBranch(store);
    await mergeBranches(store, { graph, source: 'new', author });
    await store.write({ graph }, author, async (writer) => {
      const [node] = await writer.nodesNamed(['new 0']);
      const [added] = await writer.putObservations([{ node: node?.id ?? 0, text: 'later' }]);
      expect(added?.ordinal).toBe(3);
    });
  });
});

/** New nodes with two observations and edges to each other and to others, more rows than the main thread writes. */
async function addOnBranch(store: Store): Promise<void> {
  const edgeSchema = `${schema} edge Knows: Person -> Person`;
  await store.write({ graph }, author, (writer) => writer.setSchema(edgeSchema));
  await store.createBranch(graph, 'new');
  await store.write({ graph, branch: 'new' }, author, async (writer) => {
    const [older] = await writer.nodesNamed([email(7)]);
    const made = await writer.addIdentities(
      Array.from({ length: 300 }, (_, index) => ({ type: 'Person', name: `new ${index}`, observations: 2 })),
    );
    await writer.putNodes(
      made.map(({ node: id, type, name }) => ({ id, type, name, props: { email: name, city: 'new' } })),
    );
    await writer.putObservations(
      made.flatMap(({ node, name }) => [1, 2].map((number) => ({ node, text: `${number} of ${name}` }))),
    );
    const edge = { fromName: '', toName: '', type: 'Knows', key: '' };
    await writer.putEdges(
      made.flatMap(({ node, name }, index) => {
        const next = made[index + 1] ?? made[0];
        if (next === undefined || older === undefined) return [];
        return [
          { ...edge, from: node, fromName: name, to: next.node, toName: next.name },
          { ...edge, from: older.id, fromName: older.name, to: node, toName: name },
        ];
      }),
    );
  });
}
