import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { retry } from '../bounds/retry.js';
import { TrellisError } from '../model/error.js';
import { fileError, isMissing, notAFile } from './file-errors.js';

/** Tells one state of a file from another without reading it. */
export interface FileSignature {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export type FileState = FileSignature | 'missing';

interface FileContent {
  readonly state: FileState;
  readonly content: Buffer;
}

/** A file that another program is writing in place is read again until it stops changing. */
const whileChanging = { isTransient: isChanging, attempts: 20, delayMs: 25, maxDelayMs: 25 };

export function sameState(a: FileState | undefined, b: FileState): boolean {
  if (a === undefined || a === 'missing' || b === 'missing') return a === b;
  return sameContent(a, b) && a.ctimeNs === b.ctimeNs;
}

/** Like `sameState`, but ignores renames and changes of mode. */
export function sameContent(a: FileSignature, b: FileSignature): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

/** Follows symbolic links. */
export async function fileStateOf(path: string): Promise<FileState> {
  try {
    return toSignature(await stat(path, { bigint: true }), path);
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw fileError(error, 'read', path);
  }
}

export async function handleState(handle: FileHandle, path: string): Promise<FileSignature> {
  return toSignature(await handle.stat({ bigint: true }), path);
}

export async function readContent(path: string): Promise<FileContent> {
  // Before opening: opening a pipe would block until its other end opens.
  const state = await fileStateOf(path);
  if (state === 'missing') return { state, content: Buffer.alloc(0) };
  try {
    return await retry(() => readOnce(path), whileChanging);
  } catch (error) {
    if (isMissing(error)) return { state: 'missing', content: Buffer.alloc(0) };
    throw fileError(error, 'read', path);
  }
}

async function readOnce(path: string): Promise<FileContent> {
  const handle = await open(path, 'r');
  try {
    const before = await handleState(handle, path);
    const content = await handle.readFile();
    const after = await handleState(handle, path);
    if (!sameContent(before, after) || BigInt(content.length) !== after.size)
      throw new TrellisError('STORE_BUSY', `${path} keeps changing while it is read.`, {
        hint: 'Another program is writing it; wait until it is done and call again.',
        details: { path },
      });
    return { state: after, content };
  } finally {
    await handle.close();
  }
}

function isChanging(error: unknown): boolean {
  return error instanceof TrellisError && error.code === 'STORE_BUSY';
}

function toSignature(stats: BigIntStats, path: string): FileSignature {
  if (stats.isDirectory()) throw notAFile(path, 'is a directory');
  if (!stats.isFile()) throw notAFile(path, 'is a pipe, a socket or a device');
  return { dev: stats.dev, ino: stats.ino, size: stats.size, mtimeNs: stats.mtimeNs, ctimeNs: stats.ctimeNs };
}
