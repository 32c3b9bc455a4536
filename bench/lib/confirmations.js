// @ts-check
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const blockSize = 4_096;
const blocks = 256;

/**
 * How many writes of a block the disk confirms in a second, one after the other, in a file that has its size already.
 * @param {string} folder
 * @param {number} seconds
 */
export async function confirmationsPerSecond(folder, seconds) {
  const path = join(folder, 'confirmations');
  const file = await open(path, 'w');
  const block = Buffer.alloc(blockSize, 1);
  try {
    for (let at = 0; at < blocks; at++) await file.write(block, 0, blockSize, at * blockSize);
    await file.sync();
    let confirmed = 0;
    const start = performance.now();
    while (performance.now() - start < seconds * 1_000) {
      await file.write(block, 0, blockSize, (confirmed % blocks) * blockSize);
      await file.datasync();
      confirmed += 1;
    }
    return (confirmed / (performance.now() - start)) * 1_000;
  } finally {
    await file.close();
    await rm(path);
  }
}
