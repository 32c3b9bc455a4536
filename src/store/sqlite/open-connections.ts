import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { TrellisError } from '../../model/error.js';
import { Connection } from './connection.js';
import { describeSqliteError } from './errors.js';
import { fileVersion, migrate, schemaVersion } from './migrations.js';
import { defineTextFunctions } from './text-search.js';
import { patiently, writeTransaction } from './transaction.js';

/** Opens a database file with a connection that writes and one that only reads. */
export async function openFile(path: string): Promise<{ writer: Connection; reader: Connection }> {
  try {
    createPrivately(path);
    const writer = new Connection(path);
    try {
      await patiently(() => writer.exec('pragma journal_mode = wal'));
      writer.exec('pragma synchronous = full');
      await prepareTables(writer, path);
      const reader = new Connection(path);
      reader.exec('pragma query_only = on');
      defineTextFunctions(reader);
      return { writer, reader };
    } catch (error) {
      writer.close();
      throw error;
    }
  } catch (error) {
    throw describeSqliteError(error, path);
  }
}

export async function openInMemory(): Promise<Connection> {
  const connection = new Connection(':memory:');
  await prepareTables(connection, 'the in-memory database');
  return connection;
}

async function prepareTables(connection: Connection, path: string): Promise<void> {
  defineTextFunctions(connection);
  if ((await fileVersion(connection, path)) < schemaVersion) {
    await writeTransaction(connection, () => migrate(connection, path));
  }
}

/** Memories are private: a new file can be read by its owner alone, and so can a new folder. */
function createPrivately(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (existsSync(path)) refuseFolder(path);
    else closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw error instanceof TrellisError ? error : cannotCreate(path, error);
  }
}

function refuseFolder(path: string): void {
  if (!statSync(path).isDirectory()) return;
  throw new TrellisError('NOT_A_STORE', `${path} is a folder, not a database file.`, {
    hint: 'Name a file, for example one inside that folder.',
  });
}

function cannotCreate(path: string, error: unknown): TrellisError {
  const reason = error instanceof Error ? error.message : String(error);
  return new TrellisError('STORE_UNAVAILABLE', `${path} cannot be created: ${reason}.`, {
    hint: 'Check that the folder exists and may be written.',
    cause: error,
  });
}
