import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph, type WritableGraph } from '../../src/engine/graph.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { executeMutation } from '../../src/query/execute-mutation.js';
import { executeQuery } from '../../src/query/execute-query.js';
import { queryExamples } from '../docs/query-examples.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const { schemaSource, data, examples } = queryExamples('docs/query-language.md');
const answered = examples.filter(({ isOpen, rows }) => !isOpen && rows !== undefined);
const changing = examples.filter(({ affected }) => affected !== undefined);

/** Figures that are computed may differ in their last digits. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(6));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rounded(member)]));
}

test('there are such examples', () => {
  expect(answered.length).toBeGreaterThan(10);
  expect(changing).not.toEqual([]);
});

describe.each(databaseKinds)('$kind: the examples of the docs', (kind) => {
  let scratch: Scratch;
  let graph: Graph;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, 'default');
  });
  afterEach(() => scratch.dispose());

  const target: WritableGraph = { commit: (work) => graph.commit(author, work) };
  const ingest = () => runIngest(target, [Buffer.from(data)], { mode: 'merge', maxBytes: 10_000_000 });
  const clock = () => Date.UTC(2026, 0, 31);
  const checkAnswers = async () => {
    for (const { code, parameters, rows } of answered) {
      const answer = await executeQuery(
        graph,
        { source: { text: code }, params: parameters },
        { clock, embed: null },
      );
      const objects = answer.rows.map((row) =>
        Object.fromEntries(row.map((cell, index) => [answer.columns[index] ?? '', cell])),
      );
      expect(rounded(objects), code).toEqual(rounded(rows));
    }
  };

  test('answer what the page says, with its schema and its data', async () => {
    await scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schemaSource));
    await ingest();
    await checkAnswers();
    for (const { code, parameters: params, affected } of changing)
      expect(await executeMutation(target, { source: { text: code }, params }, clock), code).toMatchObject(
        affected ?? {},
      );
  });
});
