import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeGraph } from '../../src/cli/transfer/write-graph.js';
import { openConfiguredStore, withStore } from '../../src/config/open-configured-store.js';
import { Graph } from '../../src/engine/graph.js';
import { openImportInput } from '../../src/import/import-input.js';
import { loadImport } from '../../src/import/load-import.js';
import { memoryLines } from '../../src/import/memory-lines.js';
import { importItems, scanImport } from '../../src/import/scan-import.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { textProblem } from '../../src/model/text.js';
import { isProps } from '../../src/store/jsonl/lines/line-keys.js';
import type { LineFormat } from '../../src/store/jsonl/lines/line-record.js';
import { printEdge, printNode } from '../../src/store/jsonl/lines/print-line.js';
import type { Store } from '../../src/store/store-contract.js';
import { readerSource } from '../../src/transfer/export-source.js';
import { times } from '../helpers/full.js';

const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('__proto__', '\u2028', '\r', 'a: b', '"\\'),
  )
  .filter((value) => textProblem(value) === undefined);
const name = fc.oneof(fc.constantFrom('A', 'B', 'C', '', '__proto__', 'constructor'), anyText);
const props = fc
  .oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(anyText, fc.jsonValue()) },
  )
  .filter(isProps);
const node = fc.record({
  name,
  type: name,
  observations: fc.array(anyText, { maxLength: 4 }),
  summary: fc.oneof(fc.constant(null), anyText),
  tags: fc.array(anyText, { maxLength: 2 }),
  props,
});
// The packaged SQLite binding takes a number within 2.2e-16 of an integer for that integer.
const weight = fc
  .double({ min: 0, max: 1, noNaN: true })
  .map((value) => (value < 1e-15 ? 0 : value > 1 - 1e-15 ? 1 : value));
const edge = fc.record({
  from: name,
  to: name,
  type: name,
  key: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: name }),
  weight: fc.oneof(fc.constant(1), weight),
  props,
});
const graphs = fc.record({
  nodes: fc.uniqueArray(node, { selector: (each) => each.name, maxLength: 8 }),
  edges: fc.uniqueArray(edge, {
    selector: (each) => JSON.stringify([each.from, each.type, each.to, each.key]),
    maxLength: 8,
  }),
});

async function exported(store: Store, format: LineFormat): Promise<string> {
  const output = new PassThrough();
  const [content] = await Promise.all([
    text(output),
    store
      .read({ graph: defaultGraph }, (reader) => writeGraph(readerSource(reader), format, output))
      .then(() => output.end()),
  ]);
  return content;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-transfer-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(['db', 'jsonl'])('with a store that ends in .%s', (ending) => {
  test.each(['memory', 'mesh'] as const)('import then export is the identity, format %s', async (format) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 5 }), async ({ nodes, edges }, batchItems) => {
        run += 1;
        const lines = [
          ...nodes.map((each) => printNode(each, format)),
          ...edges.map((each) => printEdge(each, format)),
        ];
        const content = lines.map((line) => `${line}\n`).join('');
        const source = join(folder, `${ending}-${format}-${run}.source`);
        await writeFile(source, content);
        const input = await openImportInput(source, source);
        expect(await scanImport(memoryLines, input)).toMatchObject({
          unreadable: [],
          leftOut: [],
          nodes: nodes.length,
        });
        await withStore(
          openConfiguredStore({
            kind: 'store',
            path: join(folder, `${format}-${run}.${ending}`),
          }),
          async (store) => {
            if ((await store.graphs()).length === 0) await store.createGraph(defaultGraph);
            const graph = new Graph(store, defaultGraph);
            const author = { actor: 'test', tool: 'import' };
            await loadImport(graph, importItems(memoryLines, input), { author, batchItems });
            expect(await exported(store, format)).toBe(content);
            await loadImport(graph, importItems(memoryLines, input), { author, batchItems });
            expect(await exported(store, format)).toBe(content);
          },
        );
      }),
      { numRuns: times(8, 40) },
    );
  });
});
