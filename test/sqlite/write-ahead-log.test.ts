import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freshSeed, randomFrom } from '../../bench/lib/random.js';
import { withScratch } from '../../bench/lib/scratch.js';
import { trellis } from '../../bench/lib/servers.js';
import { StdioClient } from '../../bench/lib/stdio-client.js';
import { sql } from '../../src/store/sql/sql.js';
import { logSizeLimit } from '../../src/store/sqlite/open-connections.js';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { times } from '../helpers/full.js';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const rounds = times(3, 12);

const create = (client: StdioClient, name: string) =>
  client.call('create_entities', {
    entities: [{ name, entityType: 'note', observations: [`about ${name}`, 'x'.repeat(500)] }],
  });

test('trust 29: only SQLite writes its log: every frame in it is one of a page', () =>
  withScratch(async (folder) => {
    const path = join(folder, 'memory.db');
    const client = await StdioClient.connect(trellis(path));
    try {
      await create(client, 'one');
      // Background work starts in the pauses between writes.
      await wait(300);
      const log = await readFile(`${path}-wal`);
      expect(framePages(log)).not.toContain(0);
      expect(framePages(log).length).toBeGreaterThan(0);
    } finally {
      await client.kill();
    }
  }));

/** The page number of each frame, as https://sqlite.org/fileformat2.html#walformat lays them out. */
function framePages(log: Buffer): number[] {
  const frameLength = 24 + log.readUInt32BE(8);
  const frames = Math.floor((log.length - 32) / frameLength);
  return Array.from({ length: frames }, (_, frame) => log.readUInt32BE(32 + frame * frameLength));
}

test(`a server killed in the pause after a write loses nothing, its own or its neighbour’s (seed ${seed})`, () =>
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
        // What a server does in the background, it does in the first pauses.
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
  }));

test('a log that a long read let grow is cut when the read has ended', () =>
  withScratch(async (folder) => {
    const path = join(folder, 'memory.db');
    const store = await openSqliteStore(path);
    const other = new SqliteConnection(path);
    const logSize = async () => (await stat(`${path}-wal`)).size;
    const grow = (from: number, count: number) =>
      store.write({ graph: 'default' }, { actor: 'ann', tool: 'test' }, async (writer) => {
        const drafts = Array.from({ length: count }, (_, index) => ({
          type: 'note',
          name: `${from + index} ${'x'.repeat(900)}`,
        }));
        const made = await writer.addIdentities(drafts);
        await writer.putNodes(made.map(({ node, type, name }) => ({ id: node, type, name })));
      });
    try {
      await store.createGraph('default');
      await grow(0, 1);
      other.exec('begin');
      await other.all(sql`select count(*) from graph`);
      for (let nth = 1; (await logSize()) <= logSizeLimit; nth++) await grow(nth * 2_000, 2_000);
      other.exec('commit');
      // The first folds what is there, and a later one starts anew.
      for (let nth = 1; nth <= 3; nth++) await grow(-10 * nth, 1);
      expect(await logSize()).toBeLessThanOrEqual(logSizeLimit);
    } finally {
      other.close();
      await store.close();
    }
  }));
