import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, TrellisError } from '../../model/error.js';
import { type SampleSet, sampleFolder } from '../../schema/mesh/mesh-schema-samples.js';

/** All of them or, if one of the files exists, none. */
export async function copySamples(set: SampleSet, folder: string): Promise<readonly string[]> {
  const names = (await readdir(sampleFolder(set))).sort();
  const made: string[] = [];
  try {
    await mkdir(folder, { recursive: true });
    await refuseExisting(folder, names);
    for (const name of names) {
      const path = join(folder, name);
      const text = await readFile(join(sampleFolder(set), name));
      // Never over a file that somebody created meanwhile.
      await writeFile(path, text, { flag: 'wx' });
      made.push(path);
    }
  } catch (error) {
    for (const path of made) await rm(path, { force: true });
    if (error instanceof TrellisError) throw error;
    const reason = reasonOf(error);
    throw new TrellisError('INVALID_ARGUMENT', `Cannot copy the schemas to ${folder}: ${reason}`, {
      hint: 'Nothing was copied. Name a writable folder.',
      cause: error,
    });
  }
  return names;
}

async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  const there = new Set(await readdir(folder));
  const existing = names.filter((name) => there.has(name));
  if (existing.length === 0) return;
  throw new TrellisError('INVALID_ARGUMENT', `${folder} already has these files: ${existing.join(', ')}.`, {
    hint: 'Nothing was copied. Name another folder, or move those files away.',
    details: { folder, files: existing },
  });
}
