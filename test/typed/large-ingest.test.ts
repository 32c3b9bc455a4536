import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import type { IngestMode } from '../../src/ingest/ingest-mode.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { compileGraphSchema } from '../../src/schema/enforce/compile-graph-schema.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store-contract.js';
import { scratchStore, sqlite } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const nodes = 5_000;
const schema = `node Item { code: String @key  place: String @unique }
edge Next: Item -> Item @card(1..1)
`;

interface Place {
  readonly store: Store;
  remove(): Promise<void>;
}

const inMemory = async (): Promise<Place> => {
  const store = await openInMemorySqliteStore({ compileGraphSchema });
  await store.createGraph('default');
  return { store, remove: () => store.close() };
};

/** Written by a thread. */
const inFile = async (): Promise<Place> => {
  const scratch = await scratchStore(sqlite);
  return { store: scratch.store, remove: () => scratch.dispose() };
};

describe.each([
  ['memory', inMemory],
  ['a file', inFile],
] as const)('an ingest into %s that is too large to be validated at once', (_, open) => {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await open();
    store = place.store;
    await store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schema));
  });
  afterEach(() => place.remove());

  const item = (index: number, place: string) =>
    JSON.stringify({ type: 'Item', data: { code: `item ${index}`, place } });
  const next = (from: number, to: number) =>
    JSON.stringify({ edge: 'Next', from: `item ${from}`, to: `item ${to}`, data: {} });
  const indexes = Array.from({ length: nodes }, (_, index) => index);
  const items = indexes.map((index) => item(index, `place ${index}`));
  const edges = indexes.map((index) => next(index, (index + 1) % nodes));
  const ingest = (lines: readonly string[], mode: IngestMode = 'merge') =>
    runIngest(
      { commit: (work, options) => new Graph(store, 'default').commit(author, work, options) },
      [Buffer.from(lines.join('\n'))],
      {
        mode,
        maxBytes: Number.MAX_SAFE_INTEGER,
      },
    );
  const counts = () => store.read({ graph: 'default' }, (reader) => reader.counts());

  test('is one commit of everything', async () => {
    const report = await ingest([...items, ...edges]);
    expect(report.nodes).toEqual([{ name: 'Item', loaded: nodes }]);
    expect(report.edges).toEqual([{ name: 'Next', loaded: nodes }]);
    expect(report.commit?.counts).toMatchObject({ nodesCreated: nodes, edgesCreated: nodes });
    expect(await counts()).toMatchObject({ nodes, edges: nodes });
  });

  test('lets others work while it reads lines that have all arrived', async () => {
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    // Refused because of its last line, before anything is written.
    const lines = [...items, ...edges, ...items, ...edges, '{'];
    await expect(ingest(lines)).rejects.toMatchObject({ details: { line: lines.length } });
    clearInterval(others);
    expect(turns).toBeGreaterThan(0);
  });

  test('is refused if far apart lines have the same unique value', async () => {
    const lines = items.with(nodes - 1, item(nodes - 1, 'place 0'));
    await expect(ingest([...lines, ...edges])).rejects.toMatchObject({
      code: 'SCHEMA_VIOLATION',
      details: { problems: [{ kind: 'unique', line: nodes }] },
    });
    expect(await counts()).toMatchObject({ nodes: 0 });
  });

  test('is refused if one of its nodes misses an edge', async () => {
    await expect(ingest([...items, ...edges.toSpliced(1, 1)])).rejects.toMatchObject({
      code: 'SCHEMA_VIOLATION',
      details: { problems: [{ kind: 'cardinality', line: 2 }] },
    });
  });

  test('may exchange unique values between lines that are far apart', async () => {
    await ingest([...items, ...edges]);
    const turned = indexes.map((index) => item(index, `place ${nodes - 1 - index}`));
    await ingest(turned);
    const found = await store.read({ graph: 'default' }, (reader) => reader.nodesNamed(['item 0']));
    expect(found[0]?.props['place']).toBe(`place ${nodes - 1}`);
  });

  test('may say more about a node in a line that is far away', async () => {
    const more = JSON.stringify({ type: 'Item', data: { code: 'item 0' }, observations: ['again'] });
    const report = await ingest([...items, ...edges, more]);
    expect(report.nodes).toEqual([{ name: 'Item', loaded: nodes }]);
    expect(report.commit?.counts).toMatchObject({
      nodesCreated: nodes,
      nodesUpdated: 0,
      observationsAdded: 1,
    });
    await expect(ingest([...items, more], 'append')).rejects.toMatchObject({ code: 'NODE_EXISTS' });
  });
});
