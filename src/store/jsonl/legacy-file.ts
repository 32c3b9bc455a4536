import { access, link, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, fileError, isMissing } from '../../file/file-errors.js';

const fileName = 'memory.jsonl';
const legacyName = 'memory.json';

/** Renames an old `memory.json`, from before the format had its own ending, unless both exist. */
export async function renameLegacyFile(path: string, warn: (message: string) => void): Promise<void> {
  const legacy = await findLegacyFile(path);
  if (legacy === undefined) return;
  if (await moveWithoutReplacing(legacy, path)) warn(`renamed ${legacy} to ${path}`);
}

/** The old file for a path, if it exists and nothing is at the path. */
export async function findLegacyFile(path: string): Promise<string | undefined> {
  if (basename(path) !== fileName) return undefined;
  const legacy = join(dirname(path), legacyName);
  return !(await exists(path)) && (await exists(legacy)) ? legacy : undefined;
}

/** A plain rename would replace a file that another process created meanwhile. */
async function moveWithoutReplacing(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    await unlink(from);
    return true;
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === 'EEXIST') return false;
    // Not every file system has hard links.
    await rename(from, to).catch((failure) => {
      throw fileError(failure, 'write', to);
    });
    return true;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
