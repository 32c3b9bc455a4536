import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, fileError, ifExists } from './file-errors.js';
import { type FileSignature, fileStateOf, handleState, sameContent } from './file-signature.js';
import { temporaryName } from './temporary-files.js';

const newFileMode = 0o600;

interface SaveOptions {
  /** Called when the new content is on disk, before it replaces the old; a rejection keeps the old one. */
  readonly beforeReplace?: () => Promise<void>;
}

/**
 * Replaces a file in one step: readers see the old content or the new, whatever fails. Returns the state of the new
 * file, or undefined if somebody else has already changed it.
 */
export async function saveAtomically(
  target: string,
  content: Uint8Array,
  options: SaveOptions = {},
): Promise<FileSignature | undefined> {
  const temporary = temporaryName(target, randomBytes(8).toString('hex'));
  let replaced = false;
  try {
    const written = await writeTemporary(temporary, content, await ifExists(stat(target)));
    await options.beforeReplace?.();
    await rename(temporary, target);
    replaced = true;
    await syncFolder(dirname(target));
    const state = await fileStateOf(target);
    return state !== 'missing' && sameContent(state, written) ? state : undefined;
  } catch (error) {
    if (!replaced) await unlink(temporary).catch(() => {});
    throw fileError(error, 'write', target);
  }
}

async function writeTemporary(
  temporary: string,
  content: Uint8Array,
  existing: Stats | undefined,
): Promise<FileSignature> {
  const handle = await open(temporary, 'wx', newFileMode);
  try {
    if (existing !== undefined) await copyOwnershipAndMode(handle, existing);
    await handle.writeFile(content);
    await handle.sync();
    return await handleState(handle, temporary);
  } finally {
    await handle.close();
  }
}

async function copyOwnershipAndMode(handle: FileHandle, existing: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== existing.uid || gid !== existing.gid) {
    // Only root may change the owner; a file that becomes ours is better than a failed save.
    await handle.chown(existing.uid, existing.gid).catch(() => {});
  }
  await handle.chmod(existing.mode & 0o777);
}

/** A rename is durable once its folder is synced; some systems cannot sync folders and need not. */
export async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EIO' || errno === 'ENOSPC' || errno === 'EDQUOT') throw error;
  } finally {
    await handle?.close();
  }
}
