import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaLimits } from '../../../model/limits.js';
import type { SchemaFile } from '../catalog.js';
import { schemaInvalid } from '../schema-problem.js';
import { folderUnavailable } from './folder-unavailable.js';
import { decode, refusal, schemaFileNames, unreadable } from './schema-file.js';

/** A file younger than this may change again without a new time, where clocks are coarse. */
const settledAfter = 1_000;

/** The schema files of a folder, as one look found them. */
export interface FolderContent {
  readonly files: readonly SchemaFile[];
  /** Equal to that of another look if nothing changed in between; undefined if the times cannot tell yet. */
  readonly stamp: string | undefined;
}

/** Reads every schema file of a folder; throws `SCHEMA_SOURCE_UNAVAILABLE` if there is no such folder. */
export async function readFolder(dir: string): Promise<FolderContent> {
  const names = await namesIn(dir);
  // The times are taken first: what changes after that is seen as a change by the next look.
  const stamp = await stampOf(dir, names);
  return { files: await Promise.all(names.map((name) => readSchemaFile(dir, name))), stamp };
}

/** What `readFolder` would give as the stamp, without reading the files. */
export async function folderStamp(dir: string): Promise<string | undefined> {
  return stampOf(dir, await namesIn(dir));
}

async function namesIn(dir: string): Promise<readonly string[]> {
  const names = schemaFileNames(
    await readdir(dir).catch((error: unknown) => {
      throw folderUnavailable(dir, error);
    }),
  );
  if (names.length <= schemaLimits.files) return names;
  const reason = `has ${names.length} schema files; at most ${schemaLimits.files} are allowed`;
  throw schemaInvalid([{ file: dir, path: '', reason }]);
}

async function stampOf(dir: string, names: readonly string[]): Promise<string | undefined> {
  const settled = BigInt(Date.now() - settledAfter) * 1_000_000n;
  const stamps = await Promise.all(
    names.map(async (name) => {
      const stats = await stat(join(dir, name), { bigint: true }).catch(() => undefined);
      if (stats === undefined) return [name];
      if (stats.ctimeNs > settled) return undefined;
      return [name, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].map(String);
    }),
  );
  return stamps.includes(undefined) ? undefined : JSON.stringify(stamps);
}

async function readSchemaFile(dir: string, file: string): Promise<SchemaFile> {
  const path = join(dir, file);
  try {
    const problem = refusal(await stat(path));
    return problem === undefined ? decode(file, await readFile(path)) : { file, unreadable: problem };
  } catch (error) {
    return unreadable(file, error);
  }
}
