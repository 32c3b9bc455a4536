import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { deleteEdges } from '../../src/engine/write/delete-edges.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { TrellisError } from '../../src/model/error.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const schema = `
node Person { email: String @key  age: I32?  code: I32? @unique  @range(age, 0..3)  @unique(age, nick)  nick: String? }
edge Knows: Person -> Person { since: I32? }
edge Boss: Person -> Person @card(0..1)
`;
/** What main may get while a branch is away. */
const laterSchemas = [
  schema.replace('0..3)', '0..2)'),
  schema.replace('since: I32?', 'since: I32? @rename_from("since")').replace('@card(0..1)', '@card(0..2)'),
  schema.replaceAll('nick', 'alias').replace('alias: String?', 'alias: String? @rename_from("nick")'),
  schema.replace('age: I32? ', 'age: I32?  level: I32 @default(1) '),
  schema.replaceAll('Person', 'Human').replace('node Human', 'node Human @rename_from("Person")'),
];

const names = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...names);
const few = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const nick = fc.constantFrom('x', 'y', undefined);
const ends = { from: name, to: name };
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.record({ email: name, age: few, code: few, nick }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ join: fc.record({ edge: fc.constantFrom('Knows', 'Boss'), ...ends }) }),
  },
  { weight: 2, arbitrary: fc.record({ remove: name }) },
  {
    weight: 1,
    arbitrary: fc.record({ part: fc.record({ edge: fc.constantFrom('Knows', 'Boss'), ...ends }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const put = (email: string, code?: number, age?: number): Step => ({ put: { email, code, age, nick: 'x' } });
const boss = (from: string, to: string): Step => ({ join: { edge: 'Boss', from, to } });
const history = { before: [], otherwise: undefined, later: undefined };
/** Something of each kind, whatever is generated. */
const examples = [
  { ...history, ours: [put('a', 1)], theirs: [put('b', 2)] },
  { ...history, ours: [put('a', 1)], theirs: [put('a', 2)] },
  { ...history, ours: [put('a', 1)], theirs: [put('b', 1)] },
  { ...history, ours: [boss('a', 'b')], theirs: [boss('a', 'c')] },
  { ...history, ours: [], theirs: [put('a', 1, 3)], later: laterSchemas[0] },
];
const steps = fc.array(step, { maxLength: 6 });

const isRefusal = (error: unknown) => expect(error).toBeInstanceOf(TrellisError);

describe.each(databaseKinds)('$kind: trust 32: a dry run of a merge', (kind) => {
  let scratch: Scratch;
  let graphs = 0;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());

  const fresh = async () => {
    const graph = `g${++graphs}`;
    await scratch.store.createGraph(graph);
    await scratch.store.write({ graph }, author, (writer) => writer.setSchema(schema));
    return graph;
  };
  /** Steps that the schema refuses on their own branch are left out. */
  const take = async (graph: Graph, made: readonly Step[]) => {
    for (const each of made) {
      await one(graph, each).catch(isRefusal);
    }
  };
  const one = async (graph: Graph, each: Step): Promise<unknown> => {
    if ('put' in each) return load(graph, { type: 'Person', data: each.put });
    if ('join' in each) return load(graph, { ...each.join, data: {} });
    if ('remove' in each) return graph.write(author, (tx) => deleteNodes(tx, [each.remove]));
    const { edge, from, to } = each.part;
    return graph.write(author, (tx) => deleteEdges(tx, [{ from, to, type: edge }]));
  };
  const load = (graph: Graph, line: object) =>
    runIngest({ commit: (work) => graph.commit(author, work) }, [Buffer.from(JSON.stringify(line))], {
      mode: 'merge',
      maxBytes: 1_000_000,
    });

  test('answers what the merge itself then does, conflicts and all', async () => {
    const wanted = [
      'merged',
      'divergent_update',
      'cardinality_violation',
      'unique_violation',
      'value_constraint_violation',
    ];
    const kinds = new Set<string>();
    const otherwise = fc.constantFrom('source' as const, 'target' as const, undefined);
    const later = fc.option(fc.constantFrom(...laterSchemas), { nil: undefined });
    const histories = fc.record({ before: steps, ours: steps, theirs: steps, otherwise, later });
    await fc.assert(
      fc.asyncProperty(histories, async ({ before, ours, theirs, otherwise, later }) => {
        const graph = await fresh();
        const main = new Graph(scratch.store, graph);
        await take(main, [...names.map((email) => put(email)), ...before]);
        await scratch.store.createBranch(graph, 'try');
        await take(main, ours);
        await take(main.withBranch('try'), theirs);
        if (later !== undefined)
          await applyGraphSchema({ commit: (work) => main.commit(author, work) }, { source: later }).catch(
            isRefusal,
          );
        const [source, target] = later === undefined ? ['try', 'main'] : ['main', 'try'];
        const request = { graph, source, target, author, otherwise };
        const planned = await mergeBranches(scratch.store, { ...request, dryRun: true });
        const done = await mergeBranches(scratch.store, request).then(
          (report) => ({ ...report, commit: null }),
          (error) => error,
        );
        if (planned.conflicts.length === 0) {
          kinds.add(planned.outcome);
          expect(done).toEqual(planned);
          return;
        }
        for (const conflict of planned.conflicts) kinds.add(conflict.kind);
        expect(done).toMatchObject({ code: 'MERGE_CONFLICT', details: { conflicts: planned.conflicts } });
      }),
      {
        numRuns: kind.kind === 'postgres' ? times(10, 60) : times(40, 150),
        examples: examples.map((each): [typeof each] => [each]),
      },
    );
    expect([...kinds]).toEqual(expect.arrayContaining(wanted));
  });

  test('is made while a write has begun and has not ended', async () => {
    const graph = await fresh();
    const main = new Graph(scratch.store, graph);
    await scratch.store.createBranch(graph, 'try');
    await load(main.withBranch('try'), { type: 'Person', data: { email: 'a' } });
    const { result } = await main.commit(author, async ({ rows }) => {
      await rows.addIdentities([{ type: 'Person', name: 'b' }]);
      return mergeBranches(scratch.store, { graph, source: 'try', author, dryRun: true });
    });
    expect(result).toMatchObject({ outcome: 'fast_forward', conflicts: [] });
  });

  test('keeps no write waiting', async () => {
    const graph = await fresh();
    const main = new Graph(scratch.store, graph);
    await scratch.store.rehearse({ graph }, async (writer, reader) => {
      await writer.putNodes([{ id: 1_000, type: 'Person', name: 'a' }]);
      await load(main, { type: 'Person', data: { email: 'b' } });
      expect(await reader.nodesNamed(['a', 'b'])).toEqual([]);
      expect(await writer.nodesNamed(['a', 'b'])).toMatchObject([{ name: 'a', props: { email: 'a' } }]);
    });
    const names = await main.read((reader) => reader.nodesNamed(['a', 'b']));
    expect(names).toMatchObject([{ name: 'b' }]);
  });
});
