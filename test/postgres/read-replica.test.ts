import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/postgres-store.js';
import type { ReadOptions } from '../../src/store/read-options.js';
import { type OwnServer, ownServer, replicaOf } from './support/real.js';

const author = { actor: 'ada', tool: 'test' };
const long: ReadOptions = { length: 'linear', actor: 'ada' };

describe.skipIf(inject('postgres').chroot === undefined)('a read replica', () => {
  let primary: OwnServer;
  let replica: OwnServer;
  let count = 0;

  beforeAll(async () => {
    primary = await ownServer();
    await (await openPostgresStore(primary.url)).createGraph(defaultGraph);
    replica = await replicaOf(primary);
  });
  afterAll(async () => {
    await replica?.stop();
    await primary?.stop();
  });

  async function open(host: string): Promise<{ store: PostgresStore; warnings: string[] }> {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const store = await openPostgresStore(`${primary.url}?read_host=${host}`, { warn });
    onTestFinished(() => store.close());
    return { store, warnings };
  }

  /** Which server has the open transaction of a read, and whether that read sees the node. */
  function readFrom(store: PostgresStore, name: string, options: ReadOptions) {
    return store.read(
      { graph: defaultGraph },
      async (reader) => ({
        isFound: (await reader.nodesNamed([name])).length === 1,
        server: (await hasOpenRead(replica)) ? 'replica' : 'primary',
      }),
      options,
    );
  }

  /** On a busy machine, it may have been too far behind, and is left alone for some seconds. */
  async function expectReplica(store: PostgresStore): Promise<void> {
    const read = async () => (await readFrom(store, '', long)).server;
    await expect.poll(read, { timeout: 60_000 }).toBe('replica');
  }

  async function writeNode(store: PostgresStore): Promise<string> {
    count += 1;
    const name = `node ${count}`;
    await new Graph(store, defaultGraph).write(author, (tx) =>
      createNodesLenient(tx, [{ name, type: 'thing', observations: ['a fact'] }]),
    );
    return name;
  }

  test('serves long reads, and each finds what was written before it', async () => {
    const { store } = await open(`127.0.0.1:${replica.port}`);
    for (let round = 0; round < 30; round += 1)
      expect(await readFrom(store, await writeNode(store), long)).toMatchObject({ isFound: true });
    await expectReplica(store);
    expect(await readFrom(store, await writeNode(store), {})).toEqual({ isFound: true, server: 'primary' });
  });

  test('what one server wrote, a read of another finds', async () => {
    const [one, other] = await Promise.all([
      open(`127.0.0.1:${replica.port}`),
      open(`127.0.0.1:${replica.port}`),
    ]);
    const name = await writeNode(one.store);
    expect(await readFrom(other.store, name, long)).toMatchObject({ isFound: true });
  });

  test('that is behind is left alone until it has caught up', async () => {
    const { store, warnings } = await open(`127.0.0.1:${replica.port}`);
    await query(replica, 'select pg_wal_replay_pause()');
    const name = await writeNode(store);
    expect(await readFrom(store, name, long)).toEqual({ isFound: true, server: 'primary' });
    expect(await readFrom(store, name, long)).toEqual({ isFound: true, server: 'primary' });
    expect(warnings).toEqual(['The read replica is too far behind; the primary serves its reads meanwhile.']);
    await query(replica, 'select pg_wal_replay_resume()');
    await expectReplica(store);
    expect(warnings).toContain('The read replica serves reads again.');
  });

  test('that is down or is no replica costs nothing but its help', async () => {
    for (const [host, reason] of [
      ['127.0.0.1:1', 'ECONNREFUSED'],
      [`127.0.0.1:${primary.port}`, 'it is not a replica'],
    ] as const) {
      const { store, warnings } = await open(host);
      const name = await writeNode(store);
      expect(await readFrom(store, name, long)).toEqual({ isFound: true, server: 'primary' });
      expect(warnings).toEqual([expect.stringContaining(reason)]);
    }
  });

  test('that dies while it serves: the next read is served by the primary', async () => {
    const { store } = await open(`127.0.0.1:${replica.port}`);
    const name = await writeNode(store);
    await expectReplica(store);
    await replica.kill();
    const served = store.read({ graph: defaultGraph }, (reader) => reader.nodesNamed([name]), long);
    expect(await served).toHaveLength(1);
    await replica.restart();
  });

  test('a read that it serves ends when the store is closed', async () => {
    const { store } = await open(`127.0.0.1:${replica.port}`);
    await expectReplica(store);
    let restless: Promise<never> | undefined;
    const isServed = new Promise<boolean>((resolve) => {
      restless = store.read(
        { graph: defaultGraph },
        async (reader) => {
          resolve(await hasOpenRead(replica));
          for (;;) await reader.counts();
        },
        long,
      );
    });
    const ended = expect(restless).rejects.toMatchObject({ code: 'STOPPED' });
    expect(await isServed).toBe(true);
    await store.close();
    await ended;
  });

  test('is named by doctor, which says how far behind it is, or that it does not serve reads', async () => {
    const { store } = await open(`127.0.0.1:${replica.port}`);
    const layout = `in one database; reads from 127.0.0.1:${replica.port}, `;
    expect(await store.layout()).toMatch(new RegExp(`^${layout}\\d+ bytes behind$`));
    expect((await store.advice()).join()).not.toContain('replica');
    const { store: alone } = await open('127.0.0.1:1');
    expect(await alone.layout()).toBe('in one database; reads from 127.0.0.1:1');
    expect(await alone.advice()).toContain(
      'The read replica 127.0.0.1:1 does not serve reads, so the primary does: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  test.each(['', ':5432', 'a:b', 'a b', 'a/b', 'a@b'])('must be a host: %j is refused', async (host) => {
    await expect(
      openPostgresStore(`${primary.url}?read_host=${encodeURIComponent(host)}`),
    ).rejects.toMatchObject({ code: 'USAGE' });
  });
});

async function hasOpenRead(server: OwnServer): Promise<boolean> {
  const rows = await query(
    server,
    `select pid from pg_stat_activity where application_name = 'trellis' and state = 'idle in transaction'`,
  );
  return rows.length > 0;
}

async function query({ url }: OwnServer, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
