import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { bindQuery } from '../../src/query/bind-query.js';
import { checkQueries } from '../../src/query/check/check-query.js';
import { executeMutation as mutateGraph } from '../../src/query/execute-mutation.js';
import { runStatements } from '../../src/query/run-statements.js';
import { cachedGraphSchema } from '../../src/schema/enforce/graph-schema-cache.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { expectRefused, exportedLines } from './exported-lines.js';

const author = { actor: 'ann', tool: 'test' };
const schema = `
node Person { email: String @key  age: I32?  code: String? @unique }
node Note { text: String }
edge Knows: Person -> Person { since: Date? }
edge Paid: Person -> Person { month: String  cents: I64  @key(src, dst, month) }
`;

describe.each(databaseKinds)('$kind: mutations', (kind) => {
  let scratch: Scratch;
  let graph: Graph;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, 'default');
  });
  afterEach(() => scratch.dispose());

  const mutate = async (body: string, parameters = '', values: object = {}) => {
    const source = await graph.read((reader) => reader.schema());
    const text = `query m(${parameters}) { ${body} }`;
    const [query] = checkQueries(
      { text, file: undefined },
      source === null ? null : cachedGraphSchema(source),
    );
    if (query === undefined) throw new Error('no query');
    const bound = await bindQuery(query, values, { clock: () => 0, embed: null });
    if (bound.kind !== 'mutation') throw new Error('no mutation');
    const { result, commit } = await graph.commit(author, (tx) => runStatements(tx, bound.statements));
    return { ...result, commits: commit === null ? 0 : 1 };
  };
  /** The same as the tools do it. */
  const runAll = (body: string, { clock = Date.now }: { clock?: () => number } = {}) =>
    mutateGraph(
      { commit: (work) => graph.commit(author, work) },
      { source: { text: `query m() { ${body} }` } },
      clock,
    );
  const lines = () => exportedLines(graph);
  const refused = (mutating: Promise<unknown>, error: object) => expectRefused(graph, mutating, error);

  describe('with a schema', () => {
    beforeEach(() => scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schema)));

    test('insert of a keyed node makes it or brings it up to date', async () => {
      expect(await mutate('insert Person { email: "ada", age: 36 }')).toEqual({
        nodes: 1,
        edges: 0,
        commits: 1,
      });
      expect(await mutate('insert Person { email: $e, code: "A" }', '$e: String', { e: 'ada' })).toEqual({
        ...{ nodes: 1, edges: 0, commits: 1 },
      });
      expect(await lines()).toEqual([{ type: 'Person', data: { email: 'ada', age: 36, code: 'A' } }]);
      expect(await mutate('insert Person { email: "ada", age: 36 }')).toEqual({
        nodes: 1,
        edges: 0,
        commits: 0,
      });
    });

    test('insert of a node without a key makes one each time', async () => {
      await mutate('insert Note { text: "a" } insert Note { text: "a" }');
      expect(await lines()).toHaveLength(2);
    });

    test('later statements see earlier ones, and all are one commit', async () => {
      const done = await mutate(`
        insert Person { email: "ada" }
        insert Person { email: "bob", age: 3 }
        insert Knows { from: "ada", to: "bob", since: date("2026-01-01") }
        update Person set { age: 4 } where age = 3
        delete Person where email = "nobody"
      `);
      expect(done).toEqual({ nodes: 3, edges: 1, commits: 1 });
      expect(await lines()).toEqual([
        { type: 'Person', data: { email: 'ada' } },
        { type: 'Person', data: { email: 'bob', age: 4 } },
        { edge: 'Knows', from: 'ada', to: 'bob', data: { since: '2026-01-01' } },
      ]);
      expect(await scratch.store.commits({ graph: 'default' })).toHaveLength(2);
    });

    test('edges with a key are told apart by it; they are updated and deleted by what they say', async () => {
      await mutate(`
        insert Person { email: "a" } insert Person { email: "b" }
        insert Paid { from: "a", to: "b", month: "may", cents: 1 }
        insert Paid { from: "a", to: "b", month: "june", cents: 2 }
        insert Paid { from: "a", to: "b", month: "june", cents: 3 }
      `);
      expect(await mutate('update Paid set { cents: 9 } where month = "may" and from = "a"')).toMatchObject({
        edges: 1,
      });
      expect((await lines()).slice(2)).toMatchObject([
        { data: { month: 'may', cents: 9 } },
        { data: { month: 'june', cents: 3 } },
      ]);
      expect(await mutate('delete Paid where cents > 5')).toEqual({ nodes: 0, edges: 1, commits: 1 });
      expect((await lines()).slice(2)).toMatchObject([{ data: { month: 'june' } }]);
    });

    test('deleting nodes takes their edges along, and counts them', async () => {
      await mutate(`
        insert Person { email: "a" } insert Person { email: "b" } insert Person { email: "c" }
        insert Knows { from: "a", to: "b" } insert Knows { from: "b", to: "c" } insert Knows { from: "c", to: "a" }
      `);
      expect(await mutate('delete Person where email = "b" or email = "a"')).toEqual({
        nodes: 2,
        edges: 3,
        commits: 1,
      });
      expect(await lines()).toEqual([{ type: 'Person', data: { email: 'c' } }]);
    });

    test('null takes a property away', async () => {
      await mutate('insert Person { email: "a", age: 3 }');
      await mutate('update Person set { age: $a } where email = "a"', '$a: I32?', { a: null });
      expect(await lines()).toEqual([{ type: 'Person', data: { email: 'a' } }]);
    });

    test('what does not fit refuses all of it', async () => {
      await mutate('insert Person { email: "a", code: "X" } insert Person { email: "b" }');
      await refused(mutate('insert Note { text: "n" } update Person set { code: "X" } where email = "b"'), {
        code: 'SCHEMA_VIOLATION',
      });
      await refused(mutate('insert Person { email: "c" } insert Knows { from: "c", to: "nobody" }'), {
        code: 'ENDPOINT_NOT_FOUND',
        details: { statement: 2 },
      });
      await refused(mutate('insert Person { email: "" }'), { code: 'SCHEMA_VIOLATION' });
    });

    test('values are data, whatever stands in them', async () => {
      const evil = `"; drop table node_row; -- ' " \\ %`;
      await mutate('insert Person { email: $e }', '$e: String', { e: evil });
      expect(
        await mutate('update Person set { age: 1 } where email = $e', '$e: String', { e: evil }),
      ).toMatchObject({ nodes: 1 });
      expect(await lines()).toEqual([{ type: 'Person', data: { email: evil, age: 1 } }]);
    });
  });

  test('one that takes too long ends between its statements, and leaves nothing', async () => {
    let now = 0;
    const slow = runAll('insert P { name: "a" } insert P { name: "b" } insert P { name: "c" }', {
      clock: () => (now += 20_000),
    });
    await refused(slow, { code: 'QUERY_TIMEOUT', details: { statements: 1 } });
  });

  test('whoever reads has a turn between statements', async () => {
    const done: string[] = [];
    const inserts = Array.from({ length: 50 }, (_, n) => `insert P { name: "${n}" }`).join(' ');
    const writing = runAll(inserts).then(() => done.push('written'));
    const reading = graph.read((reader) => reader.nodes()).then(() => done.push('read'));
    await Promise.all([writing, reading]);
    expect(done).toEqual(['read', 'written']);
  });

  describe('on an open graph an edge is changed by what tells it from others', () => {
    const load = (...given: object[]) =>
      runIngest(
        { commit: (work) => graph.commit(author, work) },
        [Buffer.from(given.map((line) => JSON.stringify(line)).join('\n'))],
        { mode: 'merge', maxBytes: 1_000_000 },
      );
    const knows = (w: number, key?: string) => ({
      ...{ edge: 'Knows', from: 'a', to: 'b', data: { w } },
      ...(key === undefined ? {} : { key }),
    });
    const edges = async () => (await lines()).filter((line) => 'edge' in (line as object));

    test('its key', async () => {
      await load({ type: 'P', id: 'a' }, { type: 'P', id: 'b' }, knows(1), knows(2, 'again'));
      expect(await mutate('delete Knows where from = "a" and w = 2')).toMatchObject({ edges: 1 });
      expect(await edges()).toEqual([knows(1)]);
      await load(knows(2, 'again'));
      await mutate('update Knows set { w: 3 } where from = "a" and w = 2');
      expect(await edges()).toEqual([knows(1), expect.objectContaining(knows(3, 'again'))]);
    });

    test('and its ends: where names do not say which is meant, none is', async () => {
      await load({ type: 'P', id: 'a' }, { type: 'P', id: 'b' }, knows(1));
      await graph.write(author, async ({ rows }) => {
        const [cat] = await rows.addIdentities([{ type: 'Cat', name: 'a' }]);
        const [b] = await rows.nodesNamed(['b']);
        if (cat === undefined || b === undefined) throw new Error('no nodes');
        await rows.putNodes([{ id: cat.node, type: 'Cat', name: 'a' }]);
        const ends = { from: cat.node, fromName: 'a', to: b.id, toName: 'b' };
        await rows.putEdges([{ ...ends, type: 'Knows', key: '', props: { w: 2 } }]);
      });
      await refused(mutate('delete Knows where from = "a" and w = 2'), { code: 'AMBIGUOUS_NAME' });
      expect(await mutate('delete Knows where from = "a"')).toMatchObject({ edges: 2 });
    });
  });

  test('on an open graph nodes are called by their name', async () => {
    await mutate(
      'insert Person { name: "Ada", age: 3 } insert Person { name: "Bob" } insert Knows { from: "Ada", to: "Bob" }',
    );
    expect(await mutate('update Person set { age: 4 } where name = "Ada"')).toMatchObject({ nodes: 1 });
    expect(await lines()).toEqual([
      { type: 'Person', id: 'Ada', data: { age: 4 } },
      { type: 'Person', id: 'Bob', data: {} },
      { edge: 'Knows', from: 'Ada', to: 'Bob', data: {} },
    ]);
    expect(await mutate('delete Knows where from = "Ada" and to = "Bob"')).toMatchObject({ edges: 1 });
    expect(await mutate('delete Person where age = 4')).toMatchObject({ nodes: 1 });
    expect(await lines()).toHaveLength(1);
  });
});
