import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put } from '../../../../test/store/conformance/graph-by-name.js';
import type { Executor } from '../../sql/executor.js';
import type { Lineage } from '../../sql/lineage.js';
import { SqlReader } from '../../sql/sql-reader.js';
import { NodePairIndex } from '../../sql/vectors/node-pairs/node-pair-index.js';
import { NodePairThread } from '../../sql/vectors/node-pairs/node-pair-thread.js';
import { openSqliteStore, type SqliteStore } from '../sqlite-store.js';

const space = { model: 'm', perspective: '', dimension: 64 };
const branches = ['main', 'b1', 'b2'];
/** Each has one that is equal to it. */
const texts = 600;
let folder: string;
let store: SqliteStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  store = await openSqliteStore(join(folder, 'store.db'));
  await store.createGraph('g');
  const names = Array.from({ length: 2 * texts }, (_, at) => [`n${at}`, [`text ${at % texts}`]]);
  await store.write({ graph: 'g' }, { actor: 'ann', tool: 'test' }, (writer) =>
    put(writer, { nodes: Object.fromEntries(names) }),
  );
  const pending = await store.vectors.pending('g', space, 10_000);
  const vectorOf = (text: string) => {
    const number = 1 + Number(text.split(' ')[1] ?? 0);
    return Float32Array.from({ length: space.dimension }, (_, axis) => Math.sin(number * (axis + 1) ** 2));
  };
  const made = pending.map(({ document, text }) => ({ document, vector: vectorOf(text) }));
  await store.vectors.put('g', space, made);
  for (const branch of branches.slice(1)) await store.createBranch('g', branch);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Calls this with a search of a branch; `meanwhile` is called when it has read some of the vectors. */
async function withSearches(
  work: (search: (branch: string, meanwhile?: () => Promise<void>) => Promise<Found>) => Promise<void>,
): Promise<void> {
  const index = new NodePairIndex(1);
  const inBranch = <T>(branch: string, look: (reader: SqlReader) => Promise<T>) =>
    store.read({ graph: 'g', branch }, async (reader) => {
      if (!(reader instanceof SqlReader)) throw new TypeError('not of a database');
      return look(reader);
    });
  try {
    const lineages = new Map<string, Lineage>();
    for (const branch of branches)
      lineages.set(branch, await inBranch(branch, async (reader) => reader.lineage));
    await inBranch('main', ({ executor, dialect, lineage }) =>
      work(async (branch, meanwhile) => {
        let pages = 0;
        const all: Executor['all'] = async (statement, options) => {
          if (statement.sql.includes('v.vector from text_vector') && ++pages === 2) await meanwhile?.();
          return executor.all(statement, options);
        };
        const reads = {
          ...{ executor: { all, run: () => {}, insert: () => {} }, dialect },
          lineage: lineages.get(branch) ?? lineage,
        };
        const { compared, pairs } = await index.nearPairs(reads, space, { minScore: 0.99 });
        return { compared, pairs: pairs.length };
      }),
    );
  } finally {
    await index.close();
  }
}

interface Found {
  readonly compared: number;
  readonly pairs: number;
}

test('a search is complete although another one needs the memory meanwhile', () =>
  withSearches(async (search) => {
    const alone = await search('main');
    expect(alone.compared).toBe(2 * texts);
    expect(alone.pairs).toBeGreaterThanOrEqual(texts);
    let other: Found | undefined;
    const found = await search('b1', async () => {
      other = await search('b2');
    });
    expect([found, other]).toEqual([alone, alone]);
    // What was dropped is read again.
    for (const branch of branches) expect(await search(branch)).toEqual(alone);
  }));

test('a search waits for no other one that is still reading', () =>
  withSearches(async (search) => {
    const found: Found[] = [];
    const first = await search('main', async () => {
      const second = await search('b1', async () => {
        found.push(await search('b2'));
      });
      found.push(second);
    });
    expect(found).toEqual([first, first]);
    expect(first.compared).toBe(2 * texts);
  }));

test('the thread answers nothing about what was dropped', async () => {
  const thread = await NodePairThread.start();
  thread.tell({ kind: 'start', key: 'a', dimension: 2 });
  thread.tell({ kind: 'drop', key: 'a' });
  const question = { key: 'a', limits: { minScore: 0, most: 10 }, timeMs: 1_000, wantsPairs: true };
  await expect(thread.find(question)).rejects.toThrow('does not have those of a');
  expect(thread.hasFailed).toBe(true);
  await thread.end();
});
