import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { HttpServer } from '../../../bench/lib/http-server.js';
import { freshSeed } from '../../../bench/lib/random.js';
import { postgresTablesVersion } from '../../../src/store/postgres/postgres-migrations.js';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { ownServer, testWithOwnServer, testWithRealServer } from '../support/real.js';
import { budget, Crowd } from './crowd.js';

// A run is repeated with the seed that its failure names.
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const servers = 4;
const clients = 25;

testWithRealServer(
  `4 servers started at once on an empty database, 25 clients each: kept is acknowledged (seed ${seed})`,
  async () => {
    const database = await emptyDatabase();
    const running = await startServers(database.url, servers);
    const crowd = new Crowd(seed);
    const writes = 2_000;
    const goesOn = budget(writes);
    await Promise.all(running.map((server, nth) => crowd.write(server, `s${nth}`, clients, goesOn)));
    expect(crowd.ledger.acknowledged).toBe(writes);
    for (const server of running) await crowd.check(server);
    expect(await database.query('select version from trellis.schema_version')).toEqual([
      { version: String(postgresTablesVersion) },
    ]);
    expect(await database.query('select name from trellis.graph')).toEqual([{ name: 'default' }]);
    await checkHistory(database);
  },
);

testWithRealServer(
  `a server killed in mid-write loses nothing acknowledged and does not hold up its neighbours (seed ${seed})`,
  async () => {
    const database = await emptyDatabase();
    const [survivor] = await startServers(database.url, 1);
    if (survivor === undefined) throw new Error('No server was started.');
    const crowd = new Crowd(seed);
    let victims = 4;
    const surviving = crowd.write(survivor, 'survivor', 5, () => victims > 0);
    for (; victims > 0; victims--) {
      const [victim] = await startServers(database.url, 1);
      const dying = crowd.write(victim as HttpServer, `victim${victims}`, 10, () => true);
      await wait(150 + Math.random() * 300);
      expect(await victim?.kill()).toBe('SIGKILL');
      await dying;
      await crowd.check(survivor);
    }
    await surviving;
    await crowd.check(survivor);
    expect(crowd.ledger.acknowledged).toBeGreaterThan(50);
    expect(crowd.longest).toBeLessThan(5_000);
  },
);

testWithOwnServer(
  `the database killed in mid-write and back: nothing acknowledged is lost, servers recover alone (seed ${seed})`,
  async () => {
    const database = await ownServer();
    onTestFinished(() => database.stop());
    const running = await startServers(database.url, 2);
    const crowd = new Crowd(seed);
    let kills = 3;
    const writing = running.map((server, nth) => crowd.write(server, `s${nth}`, 10, () => kills > 0));
    for (; kills > 0; kills--) {
      await wait(300 + Math.random() * 300);
      const before = crowd.ledger.acknowledged;
      await database.kill();
      await wait(200);
      await database.restart();
      // Every client goes on through the same server process.
      await expect.poll(() => crowd.ledger.acknowledged).toBeGreaterThan(before + 50);
    }
    await Promise.all(writing);
    for (const server of running) await crowd.check(server);
  },
);

async function emptyDatabase(): Promise<FreshDatabase> {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function startServers(url: string, count: number): Promise<HttpServer[]> {
  const started = await Promise.all(Array.from({ length: count }, () => HttpServer.start(url)));
  onTestFinished(async () => {
    await Promise.all(started.map((server) => server.stop()));
  });
  return started;
}

/** Every commit is the parent of the next: the servers took turns, and none wrote on a stale head. */
async function checkHistory(database: FreshDatabase): Promise<void> {
  const [counted] = await database.query<{ commits: number; parents: number; roots: number }>(
    `select count(*)::int as commits, count(distinct parent)::int as parents,
       (count(*) filter (where parent is null))::int as roots from trellis.commit_log`,
  );
  expect(counted).toMatchObject({ parents: (counted?.commits ?? 0) - 1, roots: 1 });
}
