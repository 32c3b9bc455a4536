import { lstat, stat } from 'node:fs/promises';

/** A dangling link exists: its owner should hear of it. */
export async function pathExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** A dangling link is not reachable. */
export async function isReachable(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
