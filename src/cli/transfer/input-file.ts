import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { resolvePath } from '../../config/paths.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import { withRemovalOnSignal } from './remove-on-signal.js';

export interface InputFile {
  /** As users know it. */
  readonly name: string;
  readonly path: string;
}

/** Piped input is copied into a file, so that it can be read more than once. */
export async function withInputFile<T>(given: string, work: (file: InputFile) => Promise<T>): Promise<T> {
  if (given === '-') return withCopy('standard input', () => process.stdin, work);
  const path = resolvePath(given);
  if (await isRereadable(path)) return work({ name: path, path });
  return withCopy(path, () => createReadStream(path), work);
}

/** A missing file counts: reading it reports that. */
async function isRereadable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile() || found.isDirectory();
}

async function withCopy<T>(
  name: string,
  open: () => NodeJS.ReadableStream,
  work: (file: InputFile) => Promise<T>,
): Promise<T> {
  // Named before it is made, so that no signal comes between.
  const folder = join(tmpdir(), `trellis-${randomUUID()}`);
  return withRemovalOnSignal(folder, async () => {
    try {
      await mkdir(folder, { mode: 0o700 });
      const path = join(folder, 'input.jsonl');
      await copy(name, open(), path);
      return await work({ name, path });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function copy(name: string, input: NodeJS.ReadableStream, path: string): Promise<void> {
  try {
    await pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    throw new TrellisError('STORE_UNAVAILABLE', `Cannot keep ${name} in ${path}: ${reasonOf(error)}`, {
      hint: 'Put the lines into a file and import that.',
      cause: error,
    });
  }
}
