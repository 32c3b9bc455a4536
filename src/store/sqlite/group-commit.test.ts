import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection } from './connection.js';
import { GroupCommit } from './group-commit.js';

let folder: string;
let connection: Connection;
let group: GroupCommit;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  connection = new Connection(join(folder, 'a.db'));
  connection.exec('create table t (x integer)');
  group = new GroupCommit(connection, {
    around: (batch) => batch(),
    beforeCommit: async () => {},
    committed: () => {},
  });
});
afterEach(async () => {
  await group.close();
  connection.close();
  rmSync(folder, { recursive: true });
});

const add = (x: number) =>
  group.run(async () => ({ result: await connection.run('insert into t values (?)', [x]) }));
const stored = async () => (await connection.all('select x from t order by x')).map((row) => row['x']);

test('writes that wait together share one transaction', async () => {
  const commands = vi.spyOn(connection, 'command');
  await Promise.all([1, 2, 3, 4, 5].map(add));
  expect(commands.mock.calls.filter(([sql]) => sql === 'commit')).toHaveLength(1);
  expect(await stored()).toEqual([1, 2, 3, 4, 5]);
});

test('a write that fails takes nothing of the others with it', async () => {
  const failing = group.run(async () => {
    await connection.run('insert into t values (99)');
    throw new Error('refused');
  });
  const outcomes = await Promise.allSettled([add(1), failing, add(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await stored()).toEqual([1, 2]);
});

test('when the database drops the transaction, every write of it is done again or fails', async () => {
  let attempts = 0;
  const dropping = group.run(async () => {
    attempts += 1;
    // What a full disk does: the transaction is gone, and the statement that met it fails.
    if (attempts === 1) {
      connection.command('rollback');
      throw new Error('database or disk is full');
    }
    return { result: await connection.run('insert into t values (3)') };
  });
  await Promise.all([add(1), dropping, add(2)]);
  expect(attempts).toBe(2);
  expect(await stored()).toEqual([1, 2, 3]);
});

test('a lone write whose transaction was dropped fails, although its own statements answered', async () => {
  const dropped = group.run(async () => {
    connection.command('rollback');
    return { result: await connection.run('insert into t values (1)') };
  });
  await expect(dropped).rejects.toThrow('dropped the transaction');
});
