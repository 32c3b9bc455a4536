import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sql } from '../../sql/sql.js';
import { SqliteConnection } from '../sqlite-connection.js';
import { YieldingExecutor } from '../yielding-executor.js';
import { LargeCommitCheckpointer } from './large-commit-checkpointer.js';

test('trust 32: SQLite folds its log again only when that of the last large commit, or long read, is folded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'large-commits-'));
  const path = join(folder, 'a.db');
  const writer = new SqliteConnection(path);
  const writing = new YieldingExecutor(writer);
  const folds: ((isWhole: boolean) => void)[] = [];
  const fold = () => new Promise<boolean>((done) => folds.push(done));
  const commits = new LargeCommitCheckpointer(writer, writing, `${path}-wal`, fold);
  const foldedFrom = async () =>
    (await writer.all(sql`pragma wal_autocheckpoint`))[0]?.['wal_autocheckpoint'];
  const writeLarge = async () => {
    for (let turn = 0; turn < 20; turn++) {
      for (const start = performance.now(); performance.now() - start < 25; );
      await writing.all(sql`select 1`);
    }
    await commits.prepare();
  };
  try {
    expect(await foldedFrom()).toBe(1_000);
    await writeLarge();
    commits.committed();
    const first = commits.close();
    await writeLarge();
    folds[0]?.(true);
    await first;
    expect(await foldedFrom()).toBe(0);
    commits.committed();
    folds[1]?.(false);
    await expect.poll(() => folds.length).toBe(3);
    expect(await foldedFrom()).toBe(0);
    folds[2]?.(true);
    await commits.close();
    expect(await foldedFrom()).toBe(1_000);
    commits.readEnded(10);
    expect(await foldedFrom()).toBe(1_000);
    commits.readEnded(10_000);
    expect(await foldedFrom()).toBe(0);
    commits.committed();
    folds[3]?.(true);
    await commits.close();
    expect(await foldedFrom()).toBe(1_000);
  } finally {
    writer.close();
    await rm(folder, { recursive: true });
  }
});
