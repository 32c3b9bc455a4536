import { constants, copyFile, mkdir, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from '../file/file-errors.js';
import { saveAtomically } from '../file/save-atomically.js';
import { TrellisError } from '../model/error.js';
import { backupOf, type Plan } from './plan.js';
import { readClientConfig } from './read-client-config.js';

/** Makes the change; returns the path of the backup, if one was made. */
export async function applyPlan(plan: Plan): Promise<string | undefined> {
  const { file, before, after, outcome } = plan;
  if (before === after) return undefined;
  const backup = plan.backup ?? backupOf(file);
  try {
    if (outcome === 'removed') {
      await (after === undefined ? unlink(file) : save(file, before, after));
      // The backup has served if the file is again what it was.
      if (after !== undefined && after === (await readClientConfig(backup))) await unlink(backup);
      return undefined;
    }
    await mkdir(dirname(file), { recursive: true });
    const makesBackup = before !== undefined && (outcome === 'added' || plan.replacesOther === true);
    if (makesBackup) {
      // A project may have a link there, to a file that must not be overwritten.
      await rm(backup, { force: true });
      await copyFile(file, backup, constants.COPYFILE_EXCL);
    }
    await save(file, before, after ?? '');
    return makesBackup ? backup : undefined;
  } catch (error) {
    throw error instanceof TrellisError ? error : fileError(error, 'write', file);
  }
}

async function save(file: string, before: string | undefined, after: string): Promise<void> {
  await saveAtomically(file, Buffer.from(after), {
    beforeReplace: async () => {
      if ((await readClientConfig(file)) !== before)
        throw new TrellisError('STORE_BUSY', `${file} was changed meanwhile. Nothing was written.`, {
          hint: 'Run the command again.',
        });
    },
  });
}
