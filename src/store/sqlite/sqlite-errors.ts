import { reasonOf, TrellisError } from '../../model/error.js';

const resultCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
};

/** One of the bindings leaves the code out of some errors, so it is found by the message. */
const codesByMessage: ReadonlyMap<string, number> = new Map([
  ['database is locked', resultCodes.busy],
  ['database table is locked', resultCodes.locked],
  ['attempt to write a readonly database', resultCodes.readOnly],
  ['disk I/O error', resultCodes.ioError],
  ['database disk image is malformed', resultCodes.corrupt],
  ['database or disk is full', resultCodes.full],
  ['unable to open database file', resultCodes.cantOpen],
  ['file is not a database', resultCodes.notADatabase],
]);

function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== 'ERR_SQLITE_ERROR')
    return undefined;
  if ('errcode' in thrown && typeof thrown.errcode === 'number') return thrown.errcode & 0xff;
  return codesByMessage.get(thrown.message);
}

/** Another connection holds the lock; trying again is right. */
export function isBusy(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code === resultCodes.busy || code === resultCodes.locked;
}

/** Turns a database error into one a user can act on; returns anything else unchanged. */
export function describeSqliteError(thrown: unknown, path: string): unknown {
  const message = reasonOf(thrown);
  switch (sqliteCode(thrown)) {
    case resultCodes.busy:
    case resultCodes.locked:
      return new TrellisError('STORE_BUSY', `${path} is locked by another process.`, {
        hint: 'Call again; if it stays locked, look for a process that holds it open.',
        cause: thrown,
      });
    case resultCodes.readOnly:
      return new TrellisError('STORE_READ_ONLY', `${path} cannot be written.`, {
        hint: 'Check the permissions of the file and its folder.',
        cause: thrown,
      });
    case resultCodes.full:
      return new TrellisError('STORE_FULL', `The disk that holds ${path} is full; nothing was written.`, {
        hint: 'Free some space and call again.',
        cause: thrown,
      });
    case resultCodes.ioError:
    case resultCodes.cantOpen:
      return new TrellisError('STORE_UNAVAILABLE', `${path} cannot be read or written: ${message}.`, {
        hint: 'Check that the folder exists, that it may be written, and that the disk is healthy.',
        cause: thrown,
      });
    case resultCodes.corrupt:
      return new TrellisError('STORE_CORRUPT', `${path} is damaged: ${message}.`, {
        hint: 'Stop whatever uses it, keep the damaged file, and restore a backup with trellis restore: see docs/data.md.',
        cause: thrown,
      });
    case resultCodes.notADatabase:
      return new TrellisError('NOT_A_STORE', `${path} is not a Trellis database.`, {
        hint: 'Name another file, or a new one.',
        cause: thrown,
      });
    default:
      return thrown;
  }
}
