import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonOf, TrellisError } from '../../model/error.js';
import type { ReaderSource } from './long-reads/read-process-messages.js';
import { openReader } from './open-reader.js';
import { SqliteConnection } from './sqlite-connection.js';
import { describeSqliteError } from './sqlite-errors.js';
import { fileVersion, migrateSqlite, sqliteTablesVersion } from './sqlite-migrations.js';
import { defineTextFunctions } from './text/sqlite-text-search.js';
import { readTransaction, retryWhileBusy, writeTransaction } from './transaction.js';

/** A read-only store uses one connection as both. */
export interface Connections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  /** Absent if other processes cannot open the database. */
  readonly source?: ReaderSource;
  /** Throws if the file was replaced or changed. */
  readonly checkFresh?: () => void;
}

/**
 * If a long read kept SQLite from starting its write-ahead log anew, the log has grown, and would keep that size for as long as
 * the database is open. SQLite cuts it to this many bytes when it starts anew; without such reads it stays far below.
 */
export const logSizeLimit = 16 * 2 ** 20;

export async function openDatabaseFile(path: string): Promise<Connections> {
  try {
    createPrivateFile(path);
    return isWritable(path) ? await openWritable(path) : await openReadOnly(path);
  } catch (error) {
    throw describeSqliteError(error, path);
  }
}

async function openWritable(path: string): Promise<Connections> {
  const writer = await retryWhileBusy(() => new SqliteConnection(path));
  try {
    // First of all: a file that is not ours must not change.
    await versionInFile(writer, path);
    await retryWhileBusy(() => writer.exec('pragma journal_mode = wal'));
    writer.exec(`pragma synchronous = full; pragma journal_size_limit = ${logSizeLimit}`);
    await prepareTables(writer, path);
    const source = { path, readOnly: false };
    const reader = await retryWhileBusy(() => openReader(source));
    return { writer, reader, source, checkFresh: replacementCheck(path) };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** For one large write, whose log is folded elsewhere. */
export function openLargeWriter(path: string): SqliteConnection {
  const connection = new SqliteConnection(path);
  connection.exec(
    `pragma synchronous = full; pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${logSizeLimit}`,
  );
  defineTextFunctions(connection);
  return connection;
}

/** Connections keep using a deleted or replaced file, and what they write to it is lost. */
function replacementCheck(path: string): () => void {
  const { ino } = statSync(path);
  // Numbers are faster to read than bigints, but above this bound several files share one.
  const opened = Number.isSafeInteger(ino) ? ino : inodeAt(path, true);
  return () => {
    if (inodeAt(path, typeof opened === 'bigint') === opened) return;
    throw new TrellisError('STORE_UNAVAILABLE', `${path} was deleted or replaced while it was open.`, {
      hint: 'Put it back, or start again to work with what is there now.',
    });
  };
}

/** Undefined if the file is missing or unreachable. */
function inodeAt(path: string, bigint: boolean): number | bigint | undefined {
  try {
    return statSync(path, { bigint }).ino;
  } catch {
    return undefined;
  }
}

/** A file that nobody writes is opened as immutable: otherwise SQLite would need files beside it. */
async function openReadOnly(path: string): Promise<Connections> {
  const idle = !existsSync(`${path}-wal`) || statSync(`${path}-wal`).size === 0;
  const source = { path: idle ? `${pathToFileURL(path).href}?immutable=1` : path, readOnly: true };
  const connection = openReader(source);
  if ((await fileVersion(connection, path)) < sqliteTablesVersion) {
    connection.close();
    throw new TrellisError(
      'STORE_READ_ONLY',
      `${path} has an older version and is read-only, so it cannot be updated.`,
      { hint: 'Make the file and its folder writable once.' },
    );
  }
  if (!idle) return { writer: connection, reader: connection, source };
  const opened = fileFingerprint(path);
  const checkFresh = () => {
    if (fileFingerprint(path) === opened) return;
    throw new TrellisError('STORE_UNAVAILABLE', `${path} changed after it was opened read-only.`, {
      hint: 'Start again to read its new state, or make the file and its folder writable.',
    });
  };
  return { writer: connection, reader: connection, source, checkFresh };
}

/** Changes when somebody writes. */
function fileFingerprint(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return `${size} ${mtimeNs} ${log?.size ?? 0}`;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export async function openInMemory(): Promise<SqliteConnection> {
  const connection = new SqliteConnection(':memory:');
  await prepareTables(connection, 'the in-memory database');
  return connection;
}

async function prepareTables(connection: SqliteConnection, path: string): Promise<void> {
  defineTextFunctions(connection);
  if ((await versionInFile(connection, path)) < sqliteTablesVersion) {
    await writeTransaction(connection, () => migrateSqlite(connection, path));
  }
}

/** Reads one state of the file: another process may be creating its tables. */
function versionInFile(connection: SqliteConnection, path: string): Promise<number> {
  return readTransaction(
    connection,
    () => fileVersion(connection, path),
    async (version) => version,
  );
}

/** Memories are private: a new file can be read by its owner alone, and so can a new folder. */
function createPrivateFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    if (!statSync(path).isDirectory()) return;
  } catch (cause) {
    throw new TrellisError('STORE_UNAVAILABLE', `${path} cannot be created: ${reasonOf(cause)}.`, {
      hint: 'Check that the folder exists and may be written.',
      cause,
    });
  }
  throw new TrellisError('NOT_A_STORE', `${path} is a folder, not a database file.`, {
    hint: 'Name a file, for example one inside that folder.',
  });
}
