import { lstat } from 'node:fs/promises';

/** A dangling link exists: its owner should hear of it. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
