import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freshSeed, type Random, randomFrom } from '../../bench/lib/random.js';
import { withScratch } from '../../bench/lib/scratch.js';
import { trellis } from '../../bench/lib/servers.js';
import { ServerGone, StdioClient } from '../../bench/lib/stdio-client.js';
import type { State } from './batch.js';
import { Ledger } from './ledger.js';
import { Traffic } from './traffic.js';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const victims = 6;
// Long enough for a slow machine, far below what a person would wait for a stuck lock.
const patience = 15_000;

test.each(['memory.db', 'memory.jsonl'])(
  `a process killed in the middle of a write does not hold up its neighbour: %s (seed ${seed})`,
  (file) =>
    withScratch(async (folder) => {
      const path = join(folder, file);
      const ledger = new Ledger();
      const random = randomFrom(seed);
      const survivor = await StdioClient.connect(trellis(path));
      const traffic = new Traffic({ client: survivor, ledger, random, owner: 'survivor' });
      let dying = victims;
      let longest = 0;
      const surviving = async () => {
        while (dying > 0) {
          const start = performance.now();
          await traffic.write();
          longest = Math.max(longest, performance.now() - start);
        }
      };
      const perishing = async () => {
        for (; dying > 0; dying--) await killWhileWriting(path, ledger, random, `victim${dying}`);
      };
      try {
        await Promise.all([surviving(), perishing()]);
        await traffic.write();
        const { structuredContent } = await survivor.call('read_graph', {});
        ledger.check(structuredContent as unknown as State);
      } finally {
        await survivor.stop();
      }
      expect(longest).toBeLessThan(patience);
    }),
);

async function killWhileWriting(path: string, ledger: Ledger, random: Random, owner: string): Promise<void> {
  const client = await StdioClient.connect(trellis(path));
  const traffic = new Traffic({ client, ledger, random, owner });
  const writing = async () => {
    for (;;) await traffic.write();
  };
  const ended = writing().catch((error) => {
    if (!(error instanceof ServerGone)) throw error;
  });
  await wait(30 + random.below(200));
  await client.kill();
  await ended;
}
