import { chmod, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { updateNodes } from '../../src/engine/write/update-nodes.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { HistoryTrimmer } from '../../src/store/jsonl/history-trimmer.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store-contract.js';
import { entity, openFile, scratchFile } from './scratch-file.js';

const author = { actor: 'tester', tool: 'test' };
const textOf = (version: number, length: number) => String(version).padEnd(length, 'fact ');
const readAt = (store: Store, commit: string | undefined) =>
  store.read({ graph: defaultGraph, commit }, (reader) => reader.counts());

test('old versions are dropped when they take more room than what is visible; the newest commits stay', async () => {
  const store = await openInMemorySqliteStore();
  onTestFinished(() => store.close());
  await store.createGraph(defaultGraph);
  const graph = new Graph(store, defaultGraph);
  const warnings: string[] = [];
  const trimmer = new HistoryTrimmer(store, { minBytes: 1_500_000, warn: (text) => warnings.push(text) });
  await graph.write(author, (tx) => createNodesLenient(tx, [{ name: 'A', type: 'thing', observations: [] }]));
  let largest = 0;
  for (let version = 0; version < 1_000; version += 1) {
    await graph.write(author, (tx) => updateNodes(tx, [{ name: 'A', facts: [textOf(version, 5_000)] }]));
    trimmer.wake();
    await trimmer.close();
    largest = Math.max(largest, (await store.size()).data);
  }
  const commits = await store.commits({ graph: defaultGraph }, { limit: 1_000 });
  await expect(readAt(store, commits[99]?.id)).resolves.toMatchObject({ nodes: 1 });
  await expect(readAt(store, commits.at(-2)?.id)).rejects.toMatchObject({ code: 'COMMIT_COLLECTED' });
  expect(await store.check()).toEqual([]);
  expect(warnings).toEqual([]);
  // Without trimming, it grows to more than 5 MB.
  expect(largest).toBeLessThan(3_500_000);
});

test('a file that is only read is trimmed too, as others change it', async () => {
  const path = await scratchFile(entity('A', textOf(0, 1_000_000)));
  const { store, all, warnings } = await openFile(path);
  const [first] = await store.commits({ graph: defaultGraph }, { limit: 1 });
  for (let version = 1; version <= 12; version += 1) {
    await chmod(path, 0o600);
    await writeFile(path, `${entity('A', textOf(version, 1_000_000))}\n`);
    await chmod(path, 0o400);
    expect(await all()).toEqual([`A: ${textOf(version, 1_000_000)}`]);
  }
  await expect.poll(() => readAt(store, first?.id).catch(({ code }) => code)).toBe('COMMIT_COLLECTED');
  expect(warnings).toEqual([]);
});
