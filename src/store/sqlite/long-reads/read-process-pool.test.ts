import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TrellisError } from '../../../model/error.js';
import { ReadCancellation } from '../../read-cancellation.js';
import type { ReadOptions } from '../../read-options.js';
import type { Executor, SqlRow } from '../../sql/executor.js';
import { raw, sql } from '../../sql/sql.js';
import { SqliteConnection } from '../sqlite-connection.js';
import { writeTransaction } from '../transaction.js';
import { ReadProcessHandle } from './read-process-handle.js';
import { ReadProcessPool } from './read-process-pool.js';

const endless =
  'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) as c from n where x < 0';

let folder: string;
let path: string;
let writer: SqliteConnection;
let processes: ReadProcessPool;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  path = join(folder, 'a.db');
  writer = new SqliteConnection(path);
  writer.exec('pragma journal_mode = wal; create table t (x)');
  processes = new ReadProcessPool({ path, readOnly: false });
});
afterEach(async () => {
  await processes.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

const add = (x: string | number | Uint8Array | null) =>
  writeTransaction(writer, async () => writer.run(sql`insert into t values (${x})`));
const count = async (executor: Executor) => (await executor.all(sql`select count(*) as n from t`))[0]?.['n'];

function read<T>(
  work: (executor: Executor) => Promise<T>,
  { signal, ...options }: ReadOptions = {},
): Promise<T> {
  const ending = new ReadCancellation(options);
  const seeker = { actor: 'somebody', graph: 'g', isLong: true };
  return ending.run(signal, () => processes.run(seeker, ending, count, work));
}

test('every kind of value arrives as it is', async () => {
  const values = [1, 1.5, 'a ☕ text', null, new Uint8Array([0, 255]), 2 ** 53 - 1];
  for (const value of values) await add(value);
  const rows = await read((executor) => executor.all(sql`select x from t`));
  expect(rows.map((row) => row['x'])).toEqual(values);
});

test('a large answer arrives whole and in order', async () => {
  const sql =
    'with recursive n(x) as (select 1 union all select x + 1 from n where x < 12345) select x from n';
  const rows: SqlRow[] = await read((executor) => executor.all(raw(sql)));
  expect(rows.map((row) => row['x'])).toEqual(Array.from({ length: 12_345 }, (_, index) => index + 1));
});

test('lists are bound as one parameter', async () => {
  const sql = 'select value from json_each(?)';
  const rows = await read((executor) => executor.all({ sql: sql, params: [['a', 2]] }));
  expect(rows.map((row) => row['value'])).toEqual(['a', 2]);
});

test('the functions that SQL calls are there', async () => {
  const [row] = await read((executor) => executor.all(sql`select text_contains('STRASSE Ä', 'ä') as found`));
  expect(row?.['found']).toBe(1);
});

test('an endless statement ends at the time limit while others read and write', async () => {
  const late = read((executor) => executor.all(raw(endless)), { timeLimit: 1_000 });
  const ended = expect(late).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  await add(1);
  expect(await read(count)).toBe(1);
  await ended;
  expect(await read(count)).toBe(1);
});

test('more endless reads than there are processes all end at their limits', async () => {
  const late = Array.from({ length: 5 }, () =>
    read((executor) => executor.all(raw(endless)), { timeLimit: 300 }),
  );
  for (const outcome of await Promise.allSettled(late))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'LIMIT_EXCEEDED' } });
  expect(await read(count)).toBe(0);
});

test('a read whose caller has gone ends, as does one that still waits for its turn', async () => {
  const caller = new AbortController();
  const signal = caller.signal;
  const left = Promise.allSettled(
    Array.from({ length: 3 }, () => read((executor) => executor.all(raw(endless)), { signal })),
  );
  await read(count, { timeLimit: 200 }).catch(() => {});
  caller.abort();
  for (const outcome of await left) expect(outcome).toMatchObject({ reason: { code: 'CANCELLED' } });
  await expect(read(count, { signal })).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await read(count)).toBe(0);
});

test('one that is cancelled with an error answers with that', async () => {
  const reason = new TrellisError('STOPPED', 'Enough.');
  await expect(read(count, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a read sees what was written before it, and nothing that is written while it runs', async () => {
  await add(1);
  const seen = await read(async (executor) => {
    const before = await count(executor);
    await add(2);
    return [before, await count(executor)];
  });
  expect(seen).toEqual([1, 1]);
  expect(await read(count)).toBe(2);
});

test('a read cannot write', async () => {
  await expect(read((executor) => executor.all(sql`insert into t values (1)`))).rejects.toThrow(/readonly/);
  expect(await read(count)).toBe(0);
});

test('an error of the database keeps its code, and the process is used again', async () => {
  const used = () => read(async (executor) => executor);
  const first = await used();
  await expect(read((executor) => executor.all(sql`select nothing`))).rejects.toMatchObject({
    code: 'ERR_SQLITE_ERROR',
    message: expect.stringContaining('nothing'),
  });
  expect(await used()).toBe(first);
});

test('a process that was started in advance serves the first read', async () => {
  const started = processes.startInAdvance();
  const used = await read(async (executor) => executor instanceof ReadProcessHandle && executor.pid);
  expect(used).toBe(started);
});

test('closing ends what runs and what waits', async () => {
  const left = Promise.allSettled(
    Array.from({ length: 3 }, () => read((executor) => executor.all(raw(endless)))),
  );
  await read(count, { timeLimit: 200 }).catch(() => {});
  await processes.close();
  for (const outcome of await left) expect(outcome).toMatchObject({ reason: { code: 'STOPPED' } });
  await expect(read(count)).rejects.toMatchObject({ code: 'STOPPED' });
});

test('one that was ended holds the log no longer', async () => {
  const late = read((executor) => executor.all(raw(endless)), { timeLimit: 300 });
  const ended = expect(late).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  await add(1);
  await ended;
  await processes.close();
  // The operating system drops the locks of a killed process a moment after it reports its end.
  const checkpoint = async () => (await writer.all(sql`pragma wal_checkpoint(truncate)`))[0]?.['busy'];
  await expect.poll(checkpoint).toBe(0);
});
