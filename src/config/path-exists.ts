import { lstat } from 'node:fs/promises';

/** Whether something is at a path. A link that leads nowhere is there: whoever made it should hear of it. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
