import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { resolvePath } from '../../config/paths.js';
import { readFailureReason } from '../../file/file-errors.js';
import { TrellisError } from '../../model/error.js';

const sourceName = /(\.pg|\.gq|^[^.].*\.schema\.json)$/i;
const skippedFolders = new Set(['node_modules', '.git']);

export async function findSources(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) for (const file of await filesAt(path)) found.add(file);
  if (found.size > 0) return [...found].sort();
  throw new TrellisError('USAGE', `There are no .pg, .gq or .schema.json files in ${paths.join(', ')}.`, {
    hint: 'Name the folder that contains them.',
  });
}

async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await isFolder(path))) {
    if (sourceName.test(basename(path))) return [path];
    throw new TrellisError('USAGE', `${path} is not a .pg, .gq or .schema.json file.`, {
      hint: 'trellis config check checks the other files that a configuration names.',
    });
  }
  const files: string[] = [];
  for (const entry of await readdir(resolvePath(path), { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) files.push(...(await filesAt(inner)));
    else if (entry.isFile() && sourceName.test(entry.name)) files.push(inner);
  }
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(resolvePath(path))).isDirectory();
  } catch (error) {
    throw new TrellisError('USAGE', `Cannot read ${path}: ${readFailureReason(error)}.`, {
      hint: 'Name an existing folder or file.',
    });
  }
}
