import { readFile, stat } from 'node:fs/promises';
import { readFailureReason } from '../../file/file-errors.js';
import type { Source } from '../../language/source.js';
import { TrellisError } from '../../model/error.js';
import { languageLimits } from '../../model/limits.js';
import { decodeUtf8 } from '../../model/text.js';

const publicMessage = 'A file of stored queries cannot be used.';

export async function readQueryFile(path: string): Promise<Source> {
  // A character has at most four bytes.
  if ((await sizeOf(path)) > languageLimits.sourceLength * 4) throw tooLong(path);
  const text = decodeUtf8(await withReason(path, () => readFile(path)));
  if (text === undefined)
    throw new TrellisError('INVALID_ARGUMENT', `${path} is not UTF-8 text.`, {
      hint: 'Save it as UTF-8.',
      publicMessage,
    });
  if (text.length > languageLimits.sourceLength) throw tooLong(path);
  return { text, file: path };
}

async function sizeOf(path: string): Promise<number> {
  return (await withReason(path, () => stat(path))).size;
}

async function withReason<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new TrellisError('NOT_FOUND', `Cannot read ${path}: ${readFailureReason(error)}.`, {
      hint: 'Check the path and its permissions.',
      publicMessage,
      cause: error,
    });
  }
}

function tooLong(path: string): TrellisError {
  return new TrellisError(
    'LIMIT_EXCEEDED',
    `${path} has more than ${languageLimits.sourceLength} characters.`,
    { hint: 'Split the queries into several files.', publicMessage },
  );
}
