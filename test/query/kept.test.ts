import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowQuery } from '../../src/store/row-query.js';
import type { ParameterValue } from '../../src/store/sql/query/parameter-slots.js';
import { replaceValues, shapeOf } from '../../src/store/sql/query/query-shape.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { applySteps, generatedHistory, properties, texts } from './generated-graph.js';
import { generatedQuery } from './generated-query.js';
import { evaluate } from './naive/evaluate.js';
import { naiveGraph } from './naive/graph.js';
import { rounded } from './rounded.js';

const author = { actor: 'ann', tool: 'test' };
const numbers = [0, 1, 2, 5, 9, 10];

/** The same question about other values. */
function asked(query: RowQuery, turn: number): RowQuery {
  const { values } = shapeOf(query);
  const others = values.map((value, index): ParameterValue => {
    const pool: readonly ParameterValue[] = typeof value === 'string' ? [...texts, 'p', 'q', 'r'] : numbers;
    return pool[(pool.indexOf(value) + turn * (index + 3)) % pool.length] ?? value;
  });
  return replaceValues(query, (given, index) => ({ ...given, value: others[index] ?? given.value }));
}

describe.each(databaseKinds)('a query that comes again on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());

  test('finds what there is after a write was rolled back that had indexed its property', async () => {
    const graph = 'rolled back';
    const { store } = scratch;
    await store.createGraph(graph);
    await store.write({ graph }, author, async (writer) => {
      const [made] = await writer.addIdentities([{ type: 'Person', name: 'Ada' }]);
      await writer.putNodes([{ id: made?.node ?? 0, type: 'Person', name: 'Ada', props: { age: 7 } }]);
    });
    const type = { kind: 'scalar', scalar: 'I32', nullable: true } as const;
    const age = {
      kind: 'property',
      variable: 'p',
      of: 'node',
      property: 'age',
      place: 'props',
      type,
    } as const;
    const query: RowQuery = {
      match: {
        nodes: [{ id: 'p', types: ['Person'] }],
        hops: [],
        conditions: [{ kind: 'compare', operator: '>', left: age, right: { kind: 'value', value: 5, type } }],
      },
      columns: [{ name: 'age', expression: age }],
      ...{ grouped: false, order: [], limit: null },
    };
    const undone = store.write({ graph }, author, async (writer) => {
      await writer.indexProperties([{ type: 'Person', property: 'age', valueType: type }]);
      expect((await writer.query(query)).rows).toEqual([[7]]);
      throw new Error('Rolled back.');
    });
    await expect(undone).rejects.toThrow('Rolled back.');
    const again = await store.write({ graph }, author, (writer) => writer.query(query));
    expect(again.result.rows).toEqual([[7]]);
  });

  test('answers by its own values, not by those of the call before', async () => {
    let graphs = 0;
    await fc.assert(
      fc.asyncProperty(
        generatedHistory,
        fc.boolean(),
        fc.array(generatedQuery, { minLength: 10, maxLength: 10 }),
        async ({ before, after }, indexed, queries) => {
          const graph = `g${graphs++}`;
          const { store } = scratch;
          await store.createGraph(graph);
          await store.write({ graph }, author, async (writer) => {
            await applySteps(writer, [...before, ...after]);
            if (indexed)
              await writer.indexProperties(
                properties.map(({ name, type: valueType }) => ({
                  ...{ type: 'Person', property: name, valueType },
                })),
              );
          });
          await store.read({ graph }, async (reader) => {
            const naive = await naiveGraph(reader);
            for (const query of queries)
              for (let turn = 0; turn < 5; turn++) {
                const again = asked(query, turn);
                const { rows } = await reader.query(again);
                expect(rounded(rows, again), JSON.stringify(again)).toEqual(
                  rounded(evaluate(naive, again), again),
                );
              }
          });
          await store.deleteGraph(graph);
        },
      ),
      { numRuns: times(6, 30), endOnFailure: true },
    );
  });

  test('is not kept where one of two values decides which bound counts', async () => {
    const { store } = scratch;
    const graph = 'bounds';
    await store.createGraph(graph);
    const valueType = { kind: 'scalar', scalar: 'I32', nullable: true } as const;
    await store.write({ graph }, author, async (writer) => {
      await writer.indexProperties([{ type: 'Person', property: 'age', valueType }]);
      const made = await writer.addIdentities(['a', 'b', 'c', 'd'].map((name) => ({ type: 'Person', name })));
      await writer.putNodes(
        made.map(({ node, name }, index) => ({ id: node, type: 'Person', name, props: { age: index } })),
      );
    });
    const age = {
      ...({ kind: 'property', variable: 'p', of: 'node', property: 'age', place: 'props' } as const),
      type: valueType,
    };
    const atLeast = (value: number) =>
      ({
        kind: 'compare',
        operator: '>=',
        left: age,
        right: { kind: 'value', value, type: valueType },
      }) as const;
    const both = (a: number, b: number): RowQuery => ({
      match: { nodes: [{ id: 'p', types: ['Person'] }], hops: [], conditions: [atLeast(a), atLeast(b)] },
      columns: [{ name: 'age', expression: age }],
      ...{ grouped: false, order: [], limit: null },
    });
    await store.read({ graph }, async (reader) => {
      for (let turn = 0; turn < 3; turn++) expect((await reader.query(both(0, 3))).rows).toEqual([[3]]);
      for (let turn = 0; turn < 3; turn++) expect((await reader.query(both(3, 0))).rows).toEqual([[3]]);
    });
  });
});
