import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindQuery } from '../../src/query/bind-query.js';
import { checkQueries } from '../../src/query/check/check-query.js';
import type { Store } from '../../src/store/store-contract.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { cases, type GeneratedCase } from './generate/cases.js';
import { evaluate } from './naive/evaluate.js';
import { naiveGraph } from './naive/graph.js';
import { patient, queryRuns } from './query-runs.js';
import { rounded } from './rounded.js';

const author = { actor: 'ann', tool: 'test' };
const context = { clock: () => Date.UTC(2026, 0, 1), embed: null };
const queriesPerGraph = 20;
const runs = queryRuns(times(200, 1_000), queriesPerGraph);
const seed = process.env['TRELLIS_TEST_SEED'];

describe.each(databaseKinds)('well-typed queries on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(patient(kind));
  });
  afterAll(() => scratch.dispose());

  test(
    'answer what trying everything answers',
    async () => {
      let graphs = 0;
      await fc.assert(
        fc.asyncProperty(cases(queriesPerGraph), async (generated) => {
          const name = `g${graphs++}`;
          runs.report(kind.kind, graphs);
          const { store } = scratch;
          await store.createGraph(name);
          await fill(store, name, generated);
          await store.read({ graph: name }, async (reader) => {
            const naive = await naiveGraph(reader);
            for (const { source, parameters } of generated.queries) {
              const [checked] = checkQueries({ text: source }, generated.schema);
              if (checked === undefined) throw new Error(source);
              const bound = await bindQuery(checked, parameters, context);
              if (bound.kind !== 'read') throw new Error(source);
              const { rows } = await reader.query(bound.query, { timeLimit: runs.queryLimitMs });
              expect(rounded(rows, bound.query), `${source}\n${JSON.stringify(parameters)}`).toEqual(
                rounded(evaluate(naive, bound.query), bound.query),
              );
            }
          });
          await store.deleteGraph(name);
        }),
        {
          ...{ numRuns: runs.graphs, endOnFailure: true },
          ...(seed === undefined ? {} : { seed: Number(seed) }),
        },
      );
    },
    runs.timeoutMs,
  );
});

/** Writes the graph, and has what its schema indexes indexed. */
async function fill(store: Store, name: string, { schema, graph }: GeneratedCase): Promise<void> {
  await store.write({ graph: name }, author, async (writer) => {
    const made = await writer.addIdentities(graph.nodes.map(({ type, name: id }) => ({ type, name: id })));
    const ids = made.map(({ node }) => node);
    await writer.putNodes(
      graph.nodes.map(({ type, name: id, props, summary, tags }, index) => ({
        ...{ id: ids[index] ?? 0, type, name: id, props, summary, tags },
      })),
    );
    await writer.putObservations(
      graph.nodes.flatMap(({ observations }, index) =>
        observations.map((text) => ({ node: ids[index] ?? 0, text })),
      ),
    );
    await writer.putEdges(
      graph.edges.map(({ type, from, to, key, props }) => ({
        ...{ from: ids[from] ?? 0, to: ids[to] ?? 0, type, key, props },
        ...{ fromName: graph.nodes[from]?.name ?? '', toName: graph.nodes[to]?.name ?? '' },
      })),
    );
    await writer.indexProperties(
      [...schema.nodes.values()].flatMap((type) =>
        [...type.index, ...type.unique].flat().flatMap((property) => {
          const valueType = type.properties.get(property)?.type;
          return valueType === undefined ? [] : [{ type: type.name, property, valueType }];
        }),
      ),
    );
  });
}
