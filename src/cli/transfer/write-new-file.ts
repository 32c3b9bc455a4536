import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../../file/file-errors.js';
import { pathExists } from '../../file/path-exists.js';
import { syncFolder } from '../../file/save-atomically.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import { withRemovalOnSignal } from './remove-on-signal.js';

type Write<T> = (output: NodeJS.WritableStream) => Promise<T>;

export function writeNewFile<T>(path: string, replace: boolean, write: Write<T>): Promise<T> {
  return createFileAtomically(path, replace, (temporary) =>
    withRemovalOnSignal(temporary, () => writeDurably(temporary, write)),
  );
}

export async function createFileAtomically<T>(
  path: string,
  replace: boolean,
  make: (temporary: string) => Promise<T>,
): Promise<T> {
  const target = await checkReplaceable(path, replace);
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const result = await make(temporary);
    await rename(temporary, target);
    await syncFolder(dirname(target));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof TrellisError) throw error;
    const reason = isMissing(error) ? `there is no folder ${dirname(target)}` : reasonOf(error);
    throw new TrellisError('STORE_UNAVAILABLE', `Cannot write ${path}: ${reason}`, {
      hint: 'Check the folder and the disk, or choose another name.',
      cause: error,
    });
  }
}

export async function checkReplaceable(path: string, replace: boolean): Promise<string> {
  if (!replace && (await pathExists(path)))
    throw new TrellisError('INVALID_ARGUMENT', `${path} already exists.`, {
      hint: 'Choose another name, or pass --force to replace it.',
    });
  return resolveReplaceable(path);
}

/** Follows links. A device or a folder must not be replaced by a file. */
async function resolveReplaceable(path: string): Promise<string> {
  const target = await realpath(path).catch(() => path);
  const there = await stat(target).catch(() => undefined);
  if (there === undefined || there.isFile()) return target;
  throw new TrellisError('INVALID_ARGUMENT', `${path} exists and is not a regular file.`, {
    hint: 'Choose another name, or write to standard output with -.',
  });
}

async function writeDurably<T>(path: string, write: Write<T>): Promise<T> {
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const failed = new Promise<never>((_, reject) => output.once('error', reject));
  const result = await Promise.race([write(output), failed]);
  output.end();
  await Promise.race([once(output, 'close'), failed]);
  return result;
}
