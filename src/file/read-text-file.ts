import { open, stat } from 'node:fs/promises';
import { TrellisError } from '../model/error.js';
import { accessLimits } from '../model/limits.js';
import { decodeUtf8 } from '../model/text.js';
import { readFailureReason } from './file-errors.js';

/** Reads a small text file; refuses pipes, devices and larger files. */
export async function readTextFile(path: string, maxBytes: number = accessLimits.fileBytes): Promise<string> {
  const text = decodeUtf8(await readBytes(path, maxBytes));
  if (text === undefined) throw unreadable(path, 'is not UTF-8 text');
  return text;
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    // Before opening: opening a pipe would block until its other end opens.
    if (!(await stat(path)).isFile()) throw unreadable(path, 'is not a regular file');
    const handle = await open(path, 'r');
    try {
      const found = await handle.stat();
      if (found.size > maxBytes)
        throw new TrellisError(
          'LIMIT_EXCEEDED',
          `${path} has ${found.size} bytes; at most ${maxBytes} are allowed.`,
          { publicMessage },
        );
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TrellisError) throw error;
    throw new TrellisError('INVALID_ARGUMENT', `Cannot read ${path}: ${readFailureReason(error)}.`, {
      hint: 'Check the path and its permissions.',
      publicMessage,
      cause: error,
    });
  }
}

const publicMessage = 'A file of the server cannot be read.';

function unreadable(path: string, reason: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `${path} ${reason}.`, { publicMessage });
}
