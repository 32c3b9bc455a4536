import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put } from '../../../../test/store/conformance/graph-by-name.js';
import { Deadline } from '../../../bounds/deadline.js';
import { SqliteConnection } from '../sqlite-connection.js';
import { openSqliteStore, type SqliteStore } from '../sqlite-store.js';

const author = { actor: 'ann', tool: 'test' };
const space = { model: 'm', perspective: '', dimension: 16 };
let folder: string;
let store: SqliteStore;

/** Texts with the same number have the same vector. */
function vectorOf(text: string): Float32Array {
  let state = Number(/\d+/.exec(text)?.[0] ?? 0) * 3 + 1_000;
  return Float32Array.from({ length: 16 }, () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
}

const say = async (texts: readonly string[], branch?: string) => {
  const nodes = Object.fromEntries(texts.map((text) => [`node of ${text}`, [text]]));
  await store.write({ graph: 'g', branch }, author, (writer) => put(writer, { nodes }));
  const pending = await store.vectors.pending('g', space, 10_000);
  const made = pending.map(({ document, text }) => ({ document, vector: vectorOf(text) }));
  await store.vectors.put('g', space, made);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  store = await openSqliteStore(join(folder, 'store.db'));
  await store.createGraph('g');
  await say([...Array.from({ length: 2_100 }, (_, at) => `text ${at}`), 'twin of 7']);
  const request = { minScore: 0.7, deadline: new Deadline(60_000) };
  const { patch } = await store.read({ graph: 'g' }, (reader) => reader.maintainNodePairs(space, request));
  if (patch === undefined) throw new Error('nothing to save');
  expect(await store.vectors.saveNodePairs('g', patch)).toBe(true);
  await store.close();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['a chunk is missing', 'delete from node_bits where chunk = 1'],
  ['a chunk is cut', 'update node_bits set bits = substr(bits, 1, 100) where chunk = 1'],
  ['bits are wrong', 'update node_bits set bits = zeroblob(length(bits)) where chunk = 0'],
  ['the pairs are cut', 'update node_pairs set body = substr(body, 1, 200)'],
  ['the format is another one', 'update node_pairs set body = zeroblob(length(body))'],
])('similar nodes are found although %s', async (_, damage) => {
  const aside = new SqliteConnection(join(folder, 'store.db'));
  aside.exec(damage);
  aside.close();
  store = await openSqliteStore(join(folder, 'store.db'));
  await say(['twin of 500', 'twin of 2000']);
  const near = await store.read({ graph: 'g' }, (reader) => reader.nearNodePairs(space, { minScore: 0.99 }));
  expect(near.outOfTime).toBe(false);
  // Those whose bits are wrong are not near to others until they are written again.
  expect(near.pairs.map(({ a, b }) => `${a} ${b}`)).toEqual(
    expect.arrayContaining(['8 2101', '501 2102', '2001 2103']),
  );
});

test('a branch reads only the vectors of what differs from what main has saved', async () => {
  store = await openSqliteStore(join(folder, 'store.db'));
  await store.createBranch('g', 'b');
  await store.close();
  const aside = new SqliteConnection(join(folder, 'store.db'));
  aside.exec('update text_vector set vector = zeroblob(length(vector)) where document < 2000');
  aside.close();
  store = await openSqliteStore(join(folder, 'store.db'));
  const near = () =>
    store.read({ graph: 'g', branch: 'b' }, (reader) => reader.nearNodePairs(space, { minScore: 0.99 }));
  const pairs = async () => (await near()).pairs.map(({ a, b }) => `${a} ${b}`);
  expect(await pairs()).toContain('8 2101');
  await say(['twin of 2000'], 'b');
  expect(await pairs()).toEqual(expect.arrayContaining(['8 2101', '2001 2102']));
});
