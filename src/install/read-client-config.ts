import { readFile } from 'node:fs/promises';
import { fileError } from '../file/file-errors.js';
import { isReachable } from '../file/path-exists.js';
import { TrellisError } from '../model/error.js';

/** The exact text of a file, its byte order mark included; undefined if there is none. */
export async function readClientConfig(file: string): Promise<string | undefined> {
  if (!(await isReachable(file))) return undefined;
  const bytes = await readFile(file).catch((error: unknown) => {
    throw fileError(error, 'read', file);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new TrellisError('INVALID_ARGUMENT', `${file} is not UTF-8 text. Nothing was changed.`, {
      cause: error,
    });
  }
}
