import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { formatNamed, recogniseFormat } from '../../src/import/formats.js';
import { openImportInput } from '../../src/import/import-input.js';
import { loadImport } from '../../src/import/load-import.js';
import { importItems, scanImport } from '../../src/import/scan-import.js';
import { parseMapping } from '../../src/import/table/column-mapping.js';
import { compareText } from '../../src/model/order.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store-contract.js';
import { edgePages, nodePages } from '../../src/transfer/head-pages.js';

export const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);

export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-import-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with these files. */
export async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await scratchFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export async function emptyStore(): Promise<Store> {
  const store = await openInMemorySqliteStore();
  onTestFinished(() => store.close());
  await store.createGraph('default');
  return store;
}

export interface ImportRequest {
  readonly from?: string;
  readonly map?: readonly string[];
}

/** What a scan finds, without writing anything. */
export async function scanned(path: string, { from, map = [] }: ImportRequest = {}) {
  const input = await openImportInput(path, path);
  const format = from === undefined ? await recogniseFormat(input) : formatNamed(from);
  return { kind: format.kind, ...(await scanImport(format, input, { mapping: parseMapping(map) })) };
}

/** Imports twice: the second time must add nothing. */
export async function importInto(store: Store, path: string, { from, map = [] }: ImportRequest = {}) {
  const input = await openImportInput(path, path);
  const format = from === undefined ? await recogniseFormat(input) : formatNamed(from);
  const options = { mapping: parseMapping(map) };
  const graph = new Graph(store, 'default');
  const load = () =>
    loadImport(graph, importItems(format, input, options), {
      author: { actor: 'test', tool: 'import' },
      batchItems: 3,
    });
  const counts = await load();
  const commits = await store.commits({ graph: 'default' });
  const again = await load();
  if ((await store.commits({ graph: 'default' })).length !== commits.length)
    throw new Error(`the second import changed something: ${JSON.stringify(again)}`);
  return { kind: format.kind, counts };
}

/** Everything a graph says, in an order that does not depend on when it was written. */
export async function contentOf(store: Store) {
  return store.read({ graph: 'default' }, async (reader) => {
    const nodes = [];
    for await (const page of nodePages(reader))
      for (const { name, type, summary, tags, props, observations } of page)
        nodes.push({ name, type, summary, tags, props, observations });
    const edges = [];
    for await (const page of edgePages(reader))
      for (const { fromName, type, toName, key, weight, props } of page)
        edges.push({ from: fromName, type, to: toName, key, weight, props });
    const by = (a: object, b: object) => compareText(JSON.stringify(a), JSON.stringify(b));
    return { nodes: nodes.sort(by), edges: edges.sort(by) };
  });
}

export async function imported(path: string, request?: ImportRequest) {
  const store = await emptyStore();
  const { kind } = await importInto(store, path, request);
  return { kind, ...(await contentOf(store)) };
}
