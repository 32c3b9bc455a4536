import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf, fileError, ifExists, isMissing } from './file-errors.js';

/** Operating systems call more links than this a loop. */
const maxLinks = 40;

/** The path a save replaces: the file, or the target of its symbolic links, even if that does not exist yet. */
export async function resolveTarget(path: string): Promise<string> {
  let current = resolve(path);
  try {
    for (let links = 0; links < maxLinks; links += 1) {
      const found = await ifExists(realpath(current));
      if (found !== undefined) return found;
      const link = await linkAt(current);
      if (link === undefined) return await inRealFolder(current);
      current = resolve(dirname(current), link);
    }
  } catch (error) {
    throw fileError(error, 'read', path);
  }
  return current;
}

async function inRealFolder(path: string): Promise<string> {
  const folder = await ifExists(realpath(dirname(path)));
  return folder === undefined ? path : join(folder, basename(path));
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === 'EINVAL') return undefined;
    throw error;
  }
}
