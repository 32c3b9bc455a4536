import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { meshSchemaLimits } from '../../../model/limits.js';
import { meshSchemaError } from '../mesh-schema-problem.js';
import {
  decodeSchemaFile,
  type MeshSchemaFile,
  meshSchemaFileNames,
  schemaFolderUnavailable,
  unreadableFile,
  unreadableReason,
} from './mesh-schema-file.js';

/** A younger file may change again without a new time, where clocks are coarse. */
const stableAfterMs = 1_000;

export interface MeshSchemaFolderContent {
  readonly files: readonly MeshSchemaFile[];
  /** Unchanged as long as the files are; undefined if they are too young to tell. */
  readonly stamp: string | undefined;
}

/** Throws `SCHEMA_SOURCE_UNAVAILABLE` if the folder cannot be read. */
export async function readMeshSchemaFolder(dir: string): Promise<MeshSchemaFolderContent> {
  const names = await listSchemaFiles(dir);
  // The stamp comes first: the next refresh then sees later changes.
  const stamp = await computeStamp(dir, names);
  return { files: await Promise.all(names.map((name) => readMeshSchemaFile(dir, name))), stamp };
}

export async function readFolderStamp(dir: string): Promise<string | undefined> {
  return computeStamp(dir, await listSchemaFiles(dir));
}

async function listSchemaFiles(dir: string): Promise<readonly string[]> {
  const names = meshSchemaFileNames(
    await readdir(dir).catch((error: unknown) => {
      throw schemaFolderUnavailable(dir, error);
    }),
  );
  if (names.length <= meshSchemaLimits.files) return names;
  const reason = `has ${names.length} schema files; at most ${meshSchemaLimits.files} are allowed`;
  throw meshSchemaError([{ file: dir, path: '', reason }]);
}

async function computeStamp(dir: string, names: readonly string[]): Promise<string | undefined> {
  const settled = BigInt(Date.now() - stableAfterMs) * 1_000_000n;
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

async function readMeshSchemaFile(dir: string, file: string): Promise<MeshSchemaFile> {
  const path = join(dir, file);
  try {
    const problem = unreadableReason(await stat(path));
    return problem === undefined
      ? decodeSchemaFile(file, await readFile(path))
      : { file, unreadable: problem };
  } catch (error) {
    return unreadableFile(file, error);
  }
}
