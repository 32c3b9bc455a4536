import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store-contract.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import {
  applySteps,
  edgeTypes,
  generatedHistory,
  type History,
  properties,
  type Steps,
  unstampedHistory,
} from './generated-graph.js';
import { generatedQuery, unstampedQuery } from './generated-query.js';
import { keepEdgesInMemory } from './in-memory.js';
import { evaluate } from './naive/evaluate.js';
import { naiveGraph } from './naive/graph.js';
import { patient, queryRuns } from './query-runs.js';
import { rounded } from './rounded.js';

const author = { actor: 'ann', tool: 'test' };
const queriesPerGraph = 20;
const runs = queryRuns(times(100, 1_000), queriesPerGraph);
const seed = process.env['TRELLIS_TEST_SEED'];

describe.each(databaseKinds)('generated queries on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(patient(kind));
  });
  afterAll(() => scratch.dispose());

  let graphs = 0;
  const compare = (parameters: fc.Parameters<unknown>, stamped = true) =>
    fc.assert(
      fc.asyncProperty(
        stamped ? generatedHistory : unstampedHistory,
        fc.boolean(),
        fc.array(stamped ? generatedQuery : unstampedQuery, {
          minLength: queriesPerGraph,
          maxLength: queriesPerGraph,
        }),
        async (history, indexed, queries) => {
          const graph = `g${graphs++}`;
          runs.report(kind.kind, graphs);
          const { store } = scratch;
          // Every other graph has its edges in memory from the first commit on, and has to follow the others.
          const isInMemory = graphs % 2 === 0;
          const past = await makeHistory(store, graph, history, indexed, isInMemory);
          for (const view of [{ graph }, { graph, branch: 'other' }, { graph, commit: past }]) {
            if (isInMemory && !('commit' in view)) await keepEdgesInMemory(store, view, edgeTypes);
            await store.read(view, async (reader) => {
              const naive = await naiveGraph(reader);
              for (const query of queries) {
                const { rows } = await reader.query(query, {
                  maxRows: 100_000,
                  timeLimit: runs.queryLimitMs,
                });
                expect(rounded(rows, query), JSON.stringify(query)).toEqual(
                  rounded(evaluate(naive, query), query),
                );
              }
            });
          }
          await store.deleteGraph(graph);
        },
      ),
      // The message has the query that failed; making the whole graph smaller takes minutes.
      { endOnFailure: true, ...parameters },
    );

  test(
    'answer what trying everything answers, on main, on a branch and at a commit',
    async () => {
      await compare({ numRuns: runs.graphs, ...(seed === undefined ? {} : { seed: Number(seed) }) });
    },
    runs.timeoutMs,
  );

  test('answer it also where SQLite 3.53.0 by itself leaves out a row on a branch', async () => {
    await compare({ seed: 2718, path: '238', numRuns: 1 }, false);
  });
});

/** Main, which is forked and goes on; answers the commit before the fork. */
async function makeHistory(
  store: Store,
  graph: string,
  { before, branch, after }: History,
  indexed: boolean,
  isInMemory: boolean,
): Promise<string> {
  await store.createGraph(graph);
  const { commit } = await store.write({ graph }, author, async (writer) => {
    await applySteps(writer, [firstNode, ...before]);
  });
  await store.createBranch(graph, 'other');
  if (isInMemory)
    for (const branch of ['main', 'other']) await keepEdgesInMemory(store, { graph, branch }, edgeTypes);
  await store.write({ graph, branch: 'other' }, author, (writer) => applySteps(writer, branch));
  if (indexed)
    await store.write({ graph }, author, (writer) =>
      writer.indexProperties(
        ['Person', 'City'].flatMap((type) =>
          properties.map(({ name, type: valueType }) => ({ type, property: name, valueType })),
        ),
      ),
    );
  await store.write({ graph }, author, (writer) => applySteps(writer, after));
  return commit?.id ?? '';
}

const firstNode: Steps[number] = {
  ...{
    kind: 'node' as const,
    type: 'Person',
    name: 'p',
    props: {},
    provenance: null,
    summary: null,
    tags: [],
    observations: [],
  },
};
