import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../sql/sql.js';
import { LongReadRouter } from './long-reads/long-read-router.js';
import { SqliteConnection } from './sqlite-connection.js';
import { openSqliteStore, type SqliteStore } from './sqlite-store.js';
import { YieldingExecutor } from './yielding-executor.js';

const author = { actor: 'ann', tool: 'test' };
let folder: string;
let store: SqliteStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  store = await openSqliteStore(join(folder, 'a.db'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function fill(graph: string, observations: number): Promise<void> {
  await store.createGraph(graph);
  await store.write({ graph }, author, async (writer) => {
    const [made] = await writer.addIdentities([{ type: 'thing', name: 'one', observations }]);
    if (made === undefined) throw new Error('No identity.');
    await writer.putNodes([{ id: made.node, type: 'thing', name: 'one' }]);
    const texts = Array.from({ length: observations }, (_, index) => `text ${index}`);
    await writer.putObservations(texts.map((text) => ({ node: made.node, text })));
  });
}

describe('trust 32: a read that was taken for short and turns out long', () => {
  test('is done again where it keeps nobody waiting, and answers all of it', async () => {
    await fill('large', 10_100);
    const asked: number[] = [];
    const texts = await store.read(
      { graph: 'large' },
      async (reader) => {
        asked.push(1);
        return (await reader.observations()).map(({ text }) => text);
      },
      { actor: 'ann' },
    );
    expect(asked).toHaveLength(2);
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([10_100, 'text 0', 'text 10099']);
  });

  test('is done again although whoever read made do without it', async () => {
    await fill('large', 10_100);
    const found = await store.read(
      { graph: 'large' },
      async (reader) => {
        const all = await reader.observations().catch(() => []);
        return all.length;
      },
      { actor: 'ann' },
    );
    expect(found).toBe(10_100);
  });

  test('is done once if it is for no actor: a command may write while it reads', async () => {
    await fill('large', 10_100);
    const asked: number[] = [];
    await store.read({ graph: 'large' }, async (reader) => {
      asked.push((await reader.observations()).length);
    });
    expect(asked).toEqual([10_100]);
  });

  test('is done once if it is as short as it was taken for', async () => {
    await fill('small', 100);
    const asked: number[] = [];
    await store.read(
      { graph: 'small' },
      async (reader) => {
        asked.push((await reader.observations()).length);
      },
      { actor: 'ann' },
    );
    expect(asked).toEqual([100]);
  });
});

test('trust 32: where a read runs is decided by its own graph, not by what else the database holds', async () => {
  await fill('large', 500);
  await fill('small', 10);
  const connection = new SqliteConnection(join(folder, 'a.db'));
  const longReads = new LongReadRouter(
    { read: (look) => look(connection), checkReadable: () => {} },
    { path: join(folder, 'a.db'), readOnly: false },
    200,
  );
  const isElsewhere = async (length: 'linear' | 'thorough' | 'unbounded', graph: string) =>
    (await longReads.processesFor(length, graph)) !== undefined;
  expect(await isElsewhere('linear', 'small')).toBe(false);
  expect(await isElsewhere('linear', 'large')).toBe(true);
  expect(await isElsewhere('thorough', 'small')).toBe(false);
  await fill('middle', 30);
  expect(await isElsewhere('linear', 'middle')).toBe(false);
  expect(await isElsewhere('thorough', 'middle')).toBe(true);
  expect(await isElsewhere('unbounded', 'small')).toBe(true);
  await longReads.close();
  connection.close();
});

describe('trust 32: statements that take long together', () => {
  const clock = vi.spyOn(performance, 'now');
  let now = 0;

  beforeEach(() => {
    now = 0;
    clock.mockImplementation(() => now);
  });
  afterEach(() => clock.mockReset());

  test('give others their turns in between, and between the rows of a large answer', async () => {
    const connection = new SqliteConnection(':memory:');
    connection.exec('create table t (x); insert into t values (1), (2)');
    const executor = new YieldingExecutor(connection).restart();
    const events: string[] = [];
    const ask = async (options = {}) => {
      const others = new Promise<void>((resolve) => {
        setImmediate(() => {
          events.push('others');
          resolve();
        });
      });
      const rows = await executor.all(sql`select x from t`, options);
      events.push(`${rows.length} rows`);
      await others;
    };
    await ask();
    now = 30;
    await ask();
    now = 40;
    clock.mockImplementation(() => (now += 15));
    await ask({ large: true });
    expect(events).toEqual(['2 rows', 'others', 'others', '2 rows', 'others', '2 rows']);
    expect(executor.takeYieldCount()).toBeGreaterThan(1);
    connection.close();
  });
});
