import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeFolder } from '../../src/cli/transfer/write-folder.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { readerSource } from '../../src/transfer/export-source.js';
import { times } from '../helpers/full.js';
import { anyGraph, fill } from './any-graph.js';
import { contentOf, emptyStore, folderOf, imported, importInto, scanned, scratchFolder } from './imported.js';

test('export as CSV and import is the identity', async () => {
  const folder = await scratchFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyGraph, async (graph) => {
      run += 1;
      const path = join(folder, String(run));
      const [before, after] = await Promise.all([openInMemorySqliteStore(), openInMemorySqliteStore()]);
      try {
        for (const store of [before, after]) await store.createGraph('default');
        await fill(before, graph);
        await before.read({ graph: 'default' }, (reader) =>
          writeFolder(readerSource(reader), 'csv', path, false),
        );
        expect((await importInto(after, path)).kind).toBe('csv');
        expect(await contentOf(after)).toEqual(await contentOf(before));
      } finally {
        await Promise.all([before.close(), after.close()]);
      }
    }),
    { numRuns: times(25, 200) },
  );
});

test('the columns of a table are guessed by their names', async () => {
  const folder = await folderOf({
    'people.csv':
      '\ufeffTitle;Kind;Notes;Keywords;Age;Zip\r\n' +
      '"Ann; the first";person;"likes ""tea""\nand cake";a, b;40;007\r\n' +
      'Bob;;;;;\r\n',
  });
  expect(await imported(join(folder, 'people.csv'))).toEqual({
    kind: 'csv',
    nodes: [
      {
        ...{ name: 'Ann; the first', type: 'person', summary: null, tags: ['a', 'b'] },
        ...{ props: { Age: 40, Zip: '007' }, observations: ['likes "tea"\nand cake'] },
      },
      { name: 'Bob', type: 'people', summary: null, tags: [], props: {}, observations: [] },
    ],
    edges: [],
  });
});

test('--map says what a column becomes', async () => {
  const folder = await folderOf({ 'staff.csv': 'id,who,boss,desk,secret\n1,Ann,Bob,4,x\n2,Bob,,5,y\n' });
  const { nodes, edges } = await imported(join(folder, 'staff.csv'), {
    map: ['who=name,boss=edge:reports_to', 'desk=prop:place', 'secret=skip', 'id=skip'],
  });
  expect(nodes).toMatchObject([
    { name: 'Ann', props: { place: 4 } },
    { name: 'Bob', props: { place: 5 } },
  ]);
  expect(edges).toMatchObject([{ from: 'Ann', type: 'reports_to', to: 'Bob' }]);
});

test('a JSON array, an object with arrays, and JSON lines are tables too', async () => {
  const rows = [{ title: 'Ann', notes: ['a', 'b'], age: 40, pets: { cat: 'Tom' } }];
  const folder = await folderOf({
    'array.json': JSON.stringify(rows, null, 2),
    'lines.json': `${JSON.stringify(rows[0])}\n${JSON.stringify({ title: 'Bob' })}\n`,
    'graph.json': JSON.stringify({
      version: [1],
      entities: [{ name: 'Ann', entityType: 'person', observations: ['a'] }],
      relations: [{ from: 'Ann', to: 'Bob', relationType: 'knows' }],
    }),
  });
  const ann = { name: 'Ann', observations: ['a', 'b'], props: { age: 40, pets: { cat: 'Tom' } } };
  expect(await imported(join(folder, 'array.json'))).toMatchObject({
    ...{ kind: 'json', nodes: [{ ...ann, type: 'array' }] },
  });
  expect((await imported(join(folder, 'lines.json'))).nodes).toMatchObject([ann, { name: 'Bob' }]);
  expect(await imported(join(folder, 'graph.json'))).toMatchObject({
    nodes: [{ name: 'Ann', type: 'person', observations: ['a'] }],
    edges: [{ from: 'Ann', to: 'Bob', type: 'knows' }],
  });
});

test('every fact says which line it came from', async () => {
  const folder = await folderOf({ 'p.csv': 'name,notes\nAnn,tea\nBob,\n' });
  const store = await emptyStore();
  await importInto(store, join(folder, 'p.csv'));
  const sources = await store.read({ graph: 'default' }, async (reader) => {
    const nodes = await reader.nodes();
    const facts = await reader.observationsOf(nodes.map(({ id }) => id));
    return [...nodes, ...facts].map(({ provenance }) => provenance?.source);
  });
  expect(sources).toEqual(['p.csv:2', 'p.csv:3', 'p.csv:2']);
});

const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
test.each<[string, string, string | Uint8Array, RegExp[]]>([
  ['a row with too few cells', 'a.csv', 'name,x\nAnn\n', [/^2 has 1 cells; the header has 2$/]],
  ['an open quote', 'a.csv', 'name\n"Ann\n\nx', [/^2 has a quote that is never closed$/]],
  ['a column twice', 'a.csv', 'name,name\nA,B\n', [/^1 names a column twice$/]],
  ['bytes that are not UTF-8', 'a.csv', Buffer.from('name\nA\n\xff', 'latin1'), [/not valid UTF-8/]],
  ['a NUL', 'a.csv', 'name\nA\0\n', [/^2 cannot be stored: .*NUL/]],
  ['a name that is too long', 'a.csv', `name\n${'x'.repeat(5_000)}\n`, [/^2 cannot be stored: .*5000/]],
  ['a row without a name', 'a.json', '[{"name":"A"},{"x":1}]', [/^1 has no name$/]],
  ['a torn document', 'a.json', '[{"name":"A"},\n{"name":"B"', [/^2 ends before the JSON does$/]],
  ['deep nesting', 'a.json', `[{"name":"A"},\n{"name":"B","x":${nested}}]`, [/^2 is nested too deeply$/]],
  ['two documents', 'a.json', '[{"name":"A"}]\n[]', [/^2 has more text after the end/]],
  ['the wrong bracket', 'a.json', '[{"name":"A"}\n}', [/^2 is not JSON$/]],
  ['a broken item', 'a.json', '[{"name":"A"},\n{"name" "B"}]', [/^2 is not JSON$/]],
  ['bytes that are not UTF-8', 'a.json', Buffer.from('[{"name":"A"},"\xff"]', 'latin1'), [/not valid UTF-8/]],
])('%s in %s is unreadable, with its line', async (_what, file, content, reasons) => {
  const folder = await folderOf({ [file]: content });
  const { unreadable } = await scanned(join(folder, file), { from: file.slice(2) });
  const found = unreadable.map(({ line, reason }) => `${line} ${reason}`);
  expect(found).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
});

test('any chunks of a JSON document give the same items', async () => {
  const { jsonItems } = await import('../../src/import/json/json-items.js');
  const value = fc.oneof(
    fc.array(fc.jsonValue()),
    fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue())),
  );
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (document, size, pretty) => {
      const bytes = Buffer.from(JSON.stringify(document, null, pretty ? 2 : 0));
      async function* chunks() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      const items: [string | undefined, unknown][] = [];
      for await (const { key, text, problem } of jsonItems(chunks())) {
        expect(problem).toBeUndefined();
        items.push([key, JSON.parse(text ?? '')]);
      }
      const expected = Array.isArray(document)
        ? document.map((item) => [undefined, item])
        : Object.entries(document).flatMap(([key, item]) =>
            Array.isArray(item) ? item.map((each) => [key, each]) : [[key, item]],
          );
      expect(JSON.stringify(items)).toBe(JSON.stringify(expected));
    }),
    { numRuns: times(100, 1000) },
  );
});
