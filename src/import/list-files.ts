import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { TrellisError } from '../model/error.js';
import { compareText } from '../model/order.js';

export interface FolderFile {
  /** From the folder, with `/`. */
  readonly path: string;
  readonly size: number;
}

interface ListedFiles {
  readonly files: readonly FolderFile[];
  /** Links that lead out of the folder: their files belong to somebody else. */
  readonly refusedLinks: readonly string[];
}

const maxFiles = 200_000;
const maxDepth = 64;

/** All files below a folder in a fixed order, but none below hidden folders. Links within the folder are not followed. */
export async function listFiles(folder: string): Promise<ListedFiles> {
  const root = await realpath(folder);
  const files: FolderFile[] = [];
  const refusedLinks: string[] = [];
  const visit = async (inner: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, inner), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        const target = await realpath(join(root, path)).catch(() => undefined);
        if (target !== undefined && target !== root && !target.startsWith(`${root}${sep}`))
          refusedLinks.push(path);
      } else if (entry.isDirectory()) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        if (depth === maxDepth) throw tooMuch(folder, `has folders nested more than ${maxDepth} deep`);
        await visit(path, depth + 1);
      } else if (entry.isFile()) {
        if (files.length === maxFiles) throw tooMuch(folder, `has more than ${maxFiles} files`);
        files.push({ path, size: (await stat(join(root, path))).size });
      }
    }
  };
  await visit('', 0);
  return { files, refusedLinks };
}

function tooMuch(folder: string, what: string): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `${folder} ${what}.`, {
    hint: 'Import a part of it.',
  });
}
