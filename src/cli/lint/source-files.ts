import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { resolvePath } from '../../config/paths.js';
import { reasonOf, TrellisError } from '../../model/error.js';

/** Folders that hold other people's files. */
const skippedFolders = new Set(['node_modules', '.git']);

/** The `.pg` and `.gq` files that paths mean, sorted; a folder means all that are in it. */
export async function findSources(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) for (const file of await filesAt(path)) found.add(file);
  if (found.size > 0) return [...found].sort();
  throw new TrellisError('USAGE', `There are no .pg or .gq files in ${paths.join(', ')}.`, {
    hint: 'Name the folder that holds them.',
  });
}

async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await isFolder(path))) return [path];
  const files: string[] = [];
  for (const entry of await readdir(resolvePath(path), { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) files.push(...(await filesAt(inner)));
    else if (entry.isFile() && /\.(pg|gq)$/i.test(entry.name)) files.push(inner);
  }
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(resolvePath(path))).isDirectory();
  } catch (error) {
    const reason = reasonOf(error);
    throw new TrellisError('USAGE', `Cannot read ${path}: ${reason}`, {
      hint: 'Name a folder or a file that is there.',
    });
  }
}
