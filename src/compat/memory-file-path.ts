import { join } from 'node:path';
import { dataDirectory, environmentVariable, resolvePath } from '../config/paths.js';
import { renameLegacyFile } from '../store/jsonl/legacy-file.js';
import { warnOnStderr } from '../store/store-options.js';

/** Where the file is when nobody says otherwise: `memory.jsonl` in the data directory. */
export const defaultMemoryPath: string = join(dataDirectory(), 'memory.jsonl');

/** The path of the memory file: `MEMORY_FILE_PATH` or the default. A `memory.json` of old is renamed to it (seed 6). */
export async function ensureMemoryFilePath(): Promise<string> {
  const given = environmentVariable(process.env, 'MEMORY_FILE_PATH');
  const path = given === undefined ? defaultMemoryPath : resolvePath(given);
  await renameLegacyFile(path, warnOnStderr);
  return path;
}
