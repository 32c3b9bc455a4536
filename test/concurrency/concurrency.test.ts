import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshSeed, randomFrom } from '../../bench/lib/random.js';
import { withScratch } from '../../bench/lib/scratch.js';
import { runCrowd } from './crowd.js';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());

describe.each(['memory.db', 'memory.jsonl'])(`many at once on %s (seed ${seed})`, (file) => {
  test('20 calls in flight in one process: every answer is a state the graph was in', async () => {
    const acknowledged = await crowd(file, { processes: 1, writers: 15, readers: 5, writes: 20 });
    expect(acknowledged).toBe(15 * 20);
  });

  test('8 processes at once: what was acknowledged is there, for each other and afterwards', async () => {
    const acknowledged = await crowd(file, { processes: 8, writers: 2, readers: 1, writes: 20 });
    expect(acknowledged).toBe(8 * 2 * 20);
  });
});

function crowd(
  file: string,
  numbers: { processes: number; writers: number; readers: number; writes: number },
): Promise<number> {
  return withScratch((folder) =>
    runCrowd({ path: join(folder, file), random: randomFrom(seed), ...numbers }),
  );
}
