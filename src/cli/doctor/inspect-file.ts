import type { Stats } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dataDirectory } from '../../config/paths.js';
import { isMissing } from '../../file/file-errors.js';
import { findLegacyFile } from '../../store/jsonl/legacy-file.js';

export interface FileInspection {
  /** Also true if looking was denied. */
  readonly exists: boolean;
  readonly bytes?: number;
  readonly mode?: string;
  readonly folderMode?: string;
  readonly warnings: readonly string[];
}

export async function inspectFile(path: string): Promise<FileInspection> {
  let file: Stats;
  try {
    file = await stat(path);
  } catch (error) {
    // Opening it explains best what else is wrong.
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
  // Project folders are commonly readable; only the data directory must be private.
  const loose = dirname(path) === dataDirectory() ? 0o077 : 0o022;
  if (folder !== undefined && (folder.mode & loose) !== 0)
    warnings.push(`Others on this machine can reach the folder of the data. Run: chmod 700 ${dirname(path)}`);
  return warnings;
}

/** A save creates a file beside the data, so it needs the folder too. */
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
