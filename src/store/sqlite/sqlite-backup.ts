import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import type { GraphCounts } from '../read-results.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import type { Lineage } from '../sql/lineage.js';
import { sql } from '../sql/sql.js';
import { SqlReader } from '../sql/sql-reader.js';
import { openDatabaseFile } from './open-connections.js';
import { SqliteConnection } from './sqlite-connection.js';
import { sqliteDialect } from './sqlite-dialect.js';
import { describeSqliteError } from './sqlite-errors.js';

export interface BackedUpGraph extends GraphCounts {
  readonly name: string;
}

/** Copies one state of a database to a new file, while others go on writing, and verifies the copy. */
export async function backupSqlite(from: string, to: string): Promise<BackedUpGraph[]> {
  const { writer, reader } = await openDatabaseFile(from);
  try {
    // Created here, because SQLite would let others read it; `vacuum into` accepts an empty file.
    closeSync(openSync(to, 'wx', 0o600));
    // Compacts as it copies, sees one state, and keeps no writer waiting.
    writer.run(sql`vacuum into ${to}`);
    await syncFile(to);
    return await verifyBackup(reader, to);
  } catch (error) {
    throw describeBackupError(error, from, to);
  } finally {
    if (reader !== writer) {
      reader.close();
      // As the store does when it closes: one of the bindings would otherwise leave the log.
      await writer.all(sql`pragma wal_checkpoint(truncate)`).catch(() => {});
    }
    writer.close();
  }
}

/** A full disk is the one the backup goes to. */
function describeBackupError(error: unknown, from: string, to: string): unknown {
  const described = describeSqliteError(error, from);
  const isFull = described instanceof TrellisError && described.code === 'STORE_FULL';
  return isFull ? describeSqliteError(error, to) : described;
}

/**
 * The copy must be sound, and every branch must have the counts that the original has at the same commit, unless somebody
 * has deleted that commit or its graph since.
 */
export async function verifyBackup(original: SqliteConnection, to: string): Promise<BackedUpGraph[]> {
  // Immutable, so that reading it leaves no files beside it.
  const copy = new SqliteConnection(`${pathToFileURL(to).href}?immutable=1`, { readOnly: true });
  try {
    const integrity = await copy.all(sql`pragma integrity_check`);
    const damage = integrity.map((row) => String(row['integrity_check'])).filter((found) => found !== 'ok');
    if (damage.length > 0) throw backupMismatchError(to, damage.join('; '));
    const graphs: BackedUpGraph[] = [];
    const catalog = new GraphCatalog(copy);
    for (const { id, name } of await catalog.graphs()) {
      for (const branch of await catalog.branches(name)) {
        const copied = await readCounts(copy, await catalog.headLineage(id, branch));
        if (branch.name === mainBranch) graphs.push({ name, ...copied });
        if (branch.headCommit === null) continue;
        const wanted = await countsAtCommit(original, id, branch.headCommit);
        if (wanted !== undefined && JSON.stringify(copied) !== JSON.stringify(wanted)) {
          throw backupMismatchError(to, `branch ${branch.name} of graph ${name} has different counts`);
        }
      }
    }
    return graphs;
  } finally {
    copy.close();
  }
}

/** What the main branches hold. */
export async function countMainBranches(connection: SqliteConnection): Promise<BackedUpGraph[]> {
  const catalog = new GraphCatalog(connection);
  const counted: BackedUpGraph[] = [];
  for (const { id, name } of await catalog.graphs())
    for (const branch of await catalog.branches(name))
      if (branch.name === mainBranch)
        counted.push({ name, ...(await readCounts(connection, await catalog.headLineage(id, branch))) });
  return counted;
}

/** Undefined if the graph was deleted or the commit collected. */
async function countsAtCommit(
  original: SqliteConnection,
  graph: number,
  commit: string,
): Promise<GraphCounts | undefined> {
  const catalog = new GraphCatalog(original);
  // In one transaction, since rows are deleted in batches after their graph or commit is marked.
  original.run(sql`begin`);
  try {
    if (!(await catalog.graphs()).some(({ id }) => id === graph)) return undefined;
    return await readCounts(original, await catalog.lineageAt(graph, commit));
  } catch (error) {
    if (error instanceof TrellisError && missingCommitCodes.has(error.code)) return undefined;
    throw error;
  } finally {
    original.run(sql`rollback`);
  }
}

const missingCommitCodes: ReadonlySet<string> = new Set(['COMMIT_NOT_FOUND', 'COMMIT_COLLECTED']);

function readCounts(connection: SqliteConnection, lineage: Lineage): Promise<GraphCounts> {
  return new SqlReader(connection, sqliteDialect, lineage).counts();
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

function backupMismatchError(path: string, reason: string): TrellisError {
  return new TrellisError('STORE_CORRUPT', `The backup ${path} does not match the original: ${reason}.`, {
    hint: 'Run trellis doctor on the original, check the disk, and try again.',
  });
}
