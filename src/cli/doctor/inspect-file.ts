import type { Stats } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dataDirectory } from '../../config/paths.js';
import { isMissing } from '../../file/file-errors.js';
import { findLegacyFile } from '../../store/jsonl/legacy-file.js';

/** What can be seen of a file and its folder from outside. */
export interface FileInspection {
  /** True also if something stands in the way of looking. */
  readonly exists: boolean;
  readonly bytes?: number;
  /** Octal, as `ls` and `chmod` speak of it. */
  readonly mode?: string;
  readonly folderMode?: string;
  readonly warnings: readonly string[];
}

/** Looks at the place of the data without opening it. */
export async function inspectFile(path: string): Promise<FileInspection> {
  let file: Stats;
  try {
    file = await stat(path);
  } catch (error) {
    // What else stands in the way, opening it says best.
    if (!isMissing(error)) return { exists: true, warnings: [] };
    const legacy = await findLegacyFile(path);
    const warnings = legacy === undefined ? [] : [`The first start renames ${legacy} to ${path}.`];
    return { exists: false, warnings };
  }
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (process.platform === 'win32' || !file.isFile()) return { exists: true, bytes: file.size, warnings: [] };
  return {
    exists: true,
    bytes: file.size,
    mode: octal(file),
    ...(folder === undefined ? {} : { folderMode: octal(folder) }),
    warnings: [...exposureWarnings(path, file, folder), ...(await writeWarnings(path, file))],
  };
}

function exposureWarnings(path: string, file: Stats, folder: Stats | undefined): string[] {
  const warnings: string[] = [];
  if ((file.mode & 0o077) !== 0)
    warnings.push(`Others on this machine can reach the data. Run: chmod 600 ${path}`);
  // A project's own folder is commonly readable; only the data directory is Trellis's to keep private.
  const loose = dirname(path) === dataDirectory() ? 0o077 : 0o022;
  if (folder !== undefined && (folder.mode & loose) !== 0) {
    warnings.push(`Others on this machine can reach the folder of the data. Run: chmod 700 ${dirname(path)}`);
  }
  return warnings;
}

/** A save makes a file beside the data, so it needs the folder too. */
async function writeWarnings(path: string, file: Stats): Promise<string[]> {
  const marked = (file.mode & 0o222) === 0;
  const shut = await Promise.all([path, dirname(path)].map(async (each) => !(await mayWrite(each))));
  if (!marked && !shut.includes(true)) return [];
  const what = marked || shut[0] ? path : dirname(path);
  return [`Reading works, but nothing can be stored: this user may not write ${what}.`];
}

async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function octal({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
