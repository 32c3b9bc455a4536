import { dirname } from 'node:path';
import { reasonOf, TrellisError } from '../model/error.js';

/** The operating system's error code, such as `ENOENT`. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

export function isMissing(thrown: unknown): boolean {
  return errnoOf(thrown) === 'ENOENT';
}

export async function ifExists<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const readReasons: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'one of its parent folders is a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not read it'],
  ['EPERM', 'this user may not read it'],
]);

/** Why a file or folder cannot be read, as in `Cannot read tokens.json: it does not exist`. */
export function readFailureReason(thrown: unknown): string {
  return readReasons.get(errnoOf(thrown)) ?? reasonOf(thrown);
}

export function fileError(thrown: unknown, action: 'read' | 'write', path: string): TrellisError {
  if (thrown instanceof TrellisError) return thrown;
  const errno = errnoOf(thrown);
  const details = { path, ...(errno === undefined ? {} : { errno }) };
  const explain = (code: TrellisError['code'], message: string, hint: string) =>
    new TrellisError(code, message, { hint, details, cause: thrown });
  switch (errno) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return explain(
        'STORE_FULL',
        `No space left to save ${path}; nothing was changed.`,
        'Free some space on that disk and call again.',
      );
    case 'EROFS':
      return readOnly(path, 'the file system is mounted read-only', thrown);
    case 'EACCES':
    case 'EPERM':
      if (action === 'write')
        return readOnly(path, `${dirname(path)} does not let this user replace it`, thrown);
      return explain(
        'STORE_UNAVAILABLE',
        `This user may not read ${path}.`,
        'Give the user that runs Trellis permission to read the file and its folder.',
      );
    case 'EISDIR':
      return notAFile(path, 'is a directory');
    case 'EBUSY':
      return explain(
        'STORE_UNAVAILABLE',
        `Cannot ${action} ${path}: it is busy, for example because the file itself is a mount.`,
        'In a container, mount the folder instead of the file: saving replaces the file.',
      );
    case 'ENOTDIR':
      return explain(
        'STORE_UNAVAILABLE',
        `${path} cannot exist: one of its parent folders is a file.`,
        'Choose another path, or move that file away.',
      );
    default:
      return explain(
        'STORE_UNAVAILABLE',
        `Cannot ${action} ${path}: ${reasonOf(thrown)}`,
        'Check the disk and the path, and call again.',
      );
  }
}

export function readOnly(path: string, reason: string, cause?: unknown): TrellisError {
  return new TrellisError('STORE_READ_ONLY', `Cannot write ${path}: ${reason}. Reading still works.`, {
    hint: 'Make the file and its folder writable for the user that runs Trellis.',
    details: { path },
    cause,
  });
}

export function notAFile(path: string, what: string): TrellisError {
  return new TrellisError('NOT_A_STORE', `${path} ${what}, not a JSON lines file.`, {
    hint: 'Use the path of a file, for example memory.jsonl inside that folder.',
    details: { path },
  });
}
