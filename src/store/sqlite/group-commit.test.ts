import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { zeroChangeCounts } from '../../model/commit.js';
import { TouchedSet } from '../sql/commits/touched-set.js';
import { sql } from '../sql/sql.js';
import { GroupCommit, type WriteTouches } from './group-commit.js';
import { SqliteConnection } from './sqlite-connection.js';

let folder: string;
let connection: SqliteConnection;
let group: GroupCommit;
/** What the store was told before each commit, and after it. */
let before: WriteTouches[][];
let after: WriteTouches[][];
let refusal: Error | undefined;

beforeEach(() => {
  [before, after, refusal] = [[], [], undefined];
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  connection = new SqliteConnection(join(folder, 'a.db'));
  connection.exec('create table t (x integer)');
  group = new GroupCommit(connection, {
    wrap: (batch) => batch(),
    describeError: (error) => error,
    beforeCommit: async (touched) => {
      before.push([...touched]);
      if (refusal !== undefined) throw refusal;
    },
    committed: (touched) => after.push([...touched]),
  });
});
afterEach(async () => {
  await group.close();
  connection.close();
  rmSync(folder, { recursive: true });
});

const add = (x: number, touch?: WriteTouches) =>
  group.run(
    async () => connection.run(sql`insert into t values (${x})`),
    () => touch,
  );
const commit = {
  ...{ id: 'c', seq: 1, branch: 'main', parent: null, mergedParent: null },
  ...{ actor: 'ann', tool: 'test', time: 0, counts: zeroChangeCounts },
};
const touching = (graph: string): WriteTouches => ({ graph, touched: new TouchedSet(), commit });
const stored = async () => (await connection.all(sql`select x from t order by x`)).map((row) => row['x']);

test('writes that wait together share one transaction', async () => {
  const commands = vi.spyOn(connection, 'run');
  await Promise.all([1, 2, 3, 4, 5].map((x) => add(x)));
  expect(commands.mock.calls.filter(([{ sql }]) => sql === 'commit')).toHaveLength(1);
  expect(await stored()).toEqual([1, 2, 3, 4, 5]);
});

test('a write that fails takes nothing of the others with it', async () => {
  const failing = group.run(async () => {
    connection.run(sql`insert into t values (99)`);
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
      connection.run(sql`rollback`);
      throw new Error('database or disk is full');
    }
    connection.run(sql`insert into t values (3)`);
  });
  await Promise.all([add(1), dropping, add(2)]);
  expect(attempts).toBe(2);
  expect(await stored()).toEqual([1, 2, 3]);
});

test('a lone write whose transaction was dropped fails, although its own statements answered', async () => {
  const dropped = group.run(async () => {
    connection.run(sql`rollback`);
    connection.run(sql`insert into t values (1)`);
  });
  await expect(dropped).rejects.toThrow('dropped the transaction');
});

test('what each write touched is told once before the commit and once after it, but not of those that failed', async () => {
  const [one, two, three] = [touching('one'), touching('two'), touching('three')];
  const failing = group.run(async () => Promise.reject(new Error('refused')));
  await Promise.allSettled([add(1, one), failing, add(2), add(3, two)]);
  await add(4, three);
  expect(before).toEqual([[one, two], [three]]);
  expect(after).toEqual(before);
});

test('what was touched is not told twice where a batch is done again', async () => {
  const [one, two] = [touching('one'), touching('two')];
  let attempts = 0;
  const adding = add(1, one);
  const dropping = group.run(
    async () => {
      attempts += 1;
      if (attempts === 1) connection.run(sql`rollback`);
    },
    () => two,
  );
  await Promise.all([adding, dropping]);
  expect(after).toEqual([[one], [two]]);
  expect(await stored()).toEqual([1]);
});

test('a commit that is refused fails every write of the batch, and is not tried again', async () => {
  refusal = new Error('the file has changed');
  const outcomes = await Promise.allSettled([add(1), add(2), add(3)]);
  expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: refusal })));
  expect([before.length, after.length]).toEqual([1, 0]);
  expect(await stored()).toEqual([]);
  refusal = undefined;
  await add(4);
  expect(await stored()).toEqual([4]);
});

test('nobody hears of a write before it is durable', async () => {
  const commands = vi.spyOn(connection, 'run');
  const committed = () => commands.mock.calls.some(([{ sql }]) => sql === 'commit');
  const heard = await Promise.all([1, 2].map((x) => add(x).then(committed)));
  expect(heard).toEqual([true, true]);
});

test('others have turns while a crowd of short writes shares a transaction', async () => {
  let turns = 0;
  const turnsSeen: number[] = [];
  const counting = () => {
    turns += 1;
    if (turnsSeen.length < 20) setImmediate(counting);
  };
  const computing = (x: number) =>
    group.run(async () => {
      if (x === 0) setImmediate(counting);
      turnsSeen.push(turns);
      for (const start = performance.now(); performance.now() - start < 3; );
      connection.run(sql`insert into t values (${x})`);
    });
  await Promise.all(Array.from({ length: 20 }, (_, x) => computing(x)));
  expect(turnsSeen.at(-1)).toBeGreaterThan(2);
  expect(await stored()).toHaveLength(20);
});
