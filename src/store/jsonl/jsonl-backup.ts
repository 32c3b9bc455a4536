import { open } from 'node:fs/promises';
import { errnoOf } from '../../file/file-errors.js';
import { readContent } from '../../file/file-signature.js';
import { acquireLock, type HeldLock } from '../../file/lock-file.js';
import { resolveTarget } from '../../file/resolve-target.js';
import { TrellisError } from '../../model/error.js';

/** Copies a JSON lines file to a new file, under the lock, and verifies the copy; returns its size. */
export async function backupJsonl(from: string, to: string): Promise<number> {
  const target = await resolveTarget(from);
  const lock = await lockIfAllowed(`${target}.lock`);
  try {
    const { content } = await readContent(target);
    const file = await open(to, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!(await readContent(to)).content.equals(content)) {
      throw new TrellisError('STORE_CORRUPT', `The backup ${to} differs from what was written to it.`, {
        hint: 'Check the disk, and try again.',
      });
    }
    return content.length;
  } finally {
    lock?.release();
  }
}

/** If this user cannot create a lock, nobody can save either: that needs the same permission. */
async function lockIfAllowed(path: string): Promise<HeldLock | undefined> {
  try {
    return await acquireLock(path);
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
