import { readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processExists } from './lock-owner.js';

/** A temporary file whose pid was reused counts as in use until it is this old. */
const staleAfterMs = 3_600_000;

export function temporaryName(target: string, token: string): string {
  return `${target}.${process.pid}.${token}.tmp`;
}

/**
 * Deletes what killed processes left beside the file. The caller holds the file's lock, so locks on older locks are
 * obsolete.
 */
export async function removeStaleFiles(target: string): Promise<void> {
  const name = escapePattern(basename(target));
  const temporary = new RegExp(`^${name}\\.(\\d+)\\.[0-9a-f]{16}\\.tmp$`);
  const lockOnLock = new RegExp(`^${name}\\.lock(\\.([0-9a-f]{16}|\\d+-\\d+))+$`);
  for (const entry of await readdir(dirname(target))) {
    const path = join(dirname(target), entry);
    const pid = temporary.exec(entry)?.[1];
    if (lockOnLock.test(entry) || (pid !== undefined && (await isAbandoned(path, Number(pid))))) {
      // A failed cleanup must not fail the write.
      await unlink(path).catch(() => {});
    }
  }
}

async function isAbandoned(path: string, pid: number): Promise<boolean> {
  if (pid === process.pid || !processExists(pid)) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > staleAfterMs;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
