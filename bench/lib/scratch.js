// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs work with a folder of its own, and removes the folder afterwards.
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @param {string} [parent] Where to make it; the system's temporary folder unless told.
 * @returns {Promise<T>}
 */
export async function withScratch(work, parent = tmpdir()) {
  const folder = await mkdtemp(join(parent, 'trellis-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
