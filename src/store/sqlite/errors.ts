import { TrellisError } from '../../model/error.js';

/** SQLite's primary result codes that mean something to a user. */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
};

/** The primary SQLite result code of an error, if it has one. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('errcode' in thrown)) return undefined;
  return typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : undefined;
}

/** Another connection holds the lock; trying again is right. */
export function isBusy(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code === codes.busy || code === codes.locked;
}

/** Puts a database error into words a user can act on; anything else passes unchanged. */
export function describeSqliteError(thrown: unknown, path: string): unknown {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  switch (sqliteCode(thrown)) {
    case codes.busy:
    case codes.locked:
      return new TrellisError('STORE_BUSY', `${path} is locked by another process.`, {
        hint: 'Call again; if it stays locked, look for a process that holds it open.',
        cause: thrown,
      });
    case codes.readOnly:
      return new TrellisError('STORE_READ_ONLY', `${path} cannot be written.`, {
        hint: 'Check the permissions of the file and its folder.',
        cause: thrown,
      });
    case codes.full:
      return new TrellisError('STORE_FULL', `The disk that holds ${path} is full; nothing was written.`, {
        hint: 'Free some space and call again.',
        cause: thrown,
      });
    case codes.ioError:
    case codes.cantOpen:
      return new TrellisError('STORE_UNAVAILABLE', `${path} cannot be read or written: ${message}.`, {
        hint: 'Check that the folder exists, that it may be written, and that the disk is healthy.',
        cause: thrown,
      });
    case codes.corrupt:
      return new TrellisError('STORE_CORRUPT', `${path} is damaged: ${message}.`, {
        hint: 'Run trellis doctor, and restore a backup.',
        cause: thrown,
      });
    case codes.notADatabase:
      return new TrellisError('NOT_A_STORE', `${path} is not a Trellis database.`, {
        hint: 'Name another file, or a new one.',
        cause: thrown,
      });
    default:
      return thrown;
  }
}
