import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freshSeed, randomFrom } from '../../bench/lib/random.js';
import { withScratch } from '../../bench/lib/scratch.js';
import { trellis } from '../../bench/lib/servers.js';
import { StdioClient } from '../../bench/lib/stdio-client.js';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const rounds = 12;

const create = (client: StdioClient, name: string) =>
  client.call('create_entities', {
    entities: [{ name, entityType: 'note', observations: [`about ${name}`, 'x'.repeat(500)] }],
  });

test(
  `a server killed while it makes room in the log loses nothing, its own or its neighbour’s (seed ${seed})`,
  () =>
    withScratch(async (folder) => {
      const path = join(folder, 'memory.db');
      const random = randomFrom(seed);
      const acknowledged: string[] = [];
      const neighbour = await StdioClient.connect(trellis(path));
      try {
        for (let round = 0; round < rounds; round += 1) {
          const victim = await StdioClient.connect(trellis(path));
          for (const [index, client] of [victim, neighbour, victim].entries()) {
            const name = `${round}-${index}`;
            await create(client, name);
            acknowledged.push(name);
          }
          // Room is made in the first pause of 25 ms, and takes some milliseconds.
          await wait(20 + random.below(20));
          await victim.kill();
          await create(neighbour, `${round}-last`);
          acknowledged.push(`${round}-last`);
        }
      } finally {
        // In the end there is nobody left who could tidy up.
        await neighbour.kill();
      }
      const store = await openSqliteStore(path);
      const names = await store.read({ graph: 'default' }, async (reader) =>
        (await reader.nodes()).map(({ name }) => name),
      );
      expect(names).toEqual(acknowledged);
      expect(await store.check()).toEqual([]);
      await store.close();
    }),
  60_000,
);
