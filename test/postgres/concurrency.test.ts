import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import type { NodePairsPatch } from '../../src/store/vector-store.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';
import { isCitus } from './support/nodes.js';
import { describeWithRealServer } from './support/real.js';

const author = { actor: 'ann', tool: 'test' };
const rejection = { ...author, code: 'A', time: 0, message: '', arguments: null, details: null };

/** Each store has its own connections and knows nothing of the other, as if it were in another process. */
describeWithRealServer('several servers on one database', () => {
  let database: FreshDatabase;
  let one: Store;
  let other: Store;

  beforeEach(async () => {
    database = await freshDatabase();
    [one, other] = await Promise.all([openStoreAtLocation(database.url), openStoreAtLocation(database.url)]);
    await one.createGraph('default');
  });
  afterEach(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });

  const create = (store: Store, name: string, branch = 'main') =>
    new Graph(store, 'default', { branch }).write(author, (tx) =>
      createNodesLenient(tx, [{ type: 'person', name, observations: [`made on ${branch}`] }]),
    );
  const idOf = (store: Store, name: string, branch: string) =>
    store.read({ graph: 'default', branch }, async (reader) => (await reader.nodesNamed([name]))[0]?.id);

  /** Transactions that wait for a lock. */
  const countWaiting = async () => {
    const waiting = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length;
  };

  test('many open an empty database at once: one makes the tables, all are up', async () => {
    await database.clear();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStoreAtLocation(database.url)));
    const made = await Promise.allSettled(stores.map((store) => store.createGraph('default')));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const store of stores) expect(await store.graphs()).toMatchObject([{ name: 'default' }]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('the same name at the same moment: one creates, the other skips', async () => {
    for (let round = 0; round < 20; round++) {
      const outcomes = await Promise.all([create(one, `Ann ${round}`), create(other, `Ann ${round}`)]);
      expect(outcomes.map(({ created }) => created.length).sort()).toEqual([0, 1]);
      expect(outcomes.flatMap(({ skipped }) => skipped)).toEqual([`Ann ${round}`]);
    }
  });

  test('the same name on two branches at the same moment is the same node, and neither fails', async () => {
    await one.createBranch('default', 'draft');
    for (let round = 0; round < 20; round++) {
      const name = `Bob ${round}`;
      const outcomes = await Promise.all([create(one, name), create(other, name, 'draft')]);
      expect(outcomes.map(({ created }) => created.length)).toEqual([1, 1]);
      expect(await idOf(one, name, 'draft')).toBe(await idOf(other, name, 'main'));
    }
  });

  test('the same properties on two branches at the same moment: both are found', async () => {
    const names = Array.from({ length: 50 }, (_, nth) => `n${nth}`);
    await new Graph(one, 'default').write(author, (tx) =>
      createNodesLenient(
        tx,
        names.map((name) => ({ type: 'person', name, observations: [] })),
      ),
    );
    await one.createBranch('default', 'draft');
    const describeAll = (store: Store, branch: string, reversed: boolean) =>
      store.write({ graph: 'default', branch }, author, async (writer) => {
        const nodes = await writer.nodes();
        for (const node of reversed ? nodes.reverse() : nodes)
          await writer.putNodes([{ ...node, props: { age: 40, name: node.name } }]);
      });
    await Promise.all([describeAll(one, 'main', false), describeAll(other, 'draft', true)]);
    for (const branch of ['main', 'draft']) {
      const found = await one.read({ graph: 'default', branch }, (reader) =>
        reader.nodesMatching('person', { age: 40 }),
      );
      expect(found.map(({ name }) => name)).toEqual(names);
    }
  });

  test('a branch that is locked keeps nobody from other branches, other graphs, or reading', async () => {
    await one.createBranch('default', 'draft');
    await one.createGraph('work');
    await create(one, 'Ann');
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('begin');
    await holder.query("select 1 from trellis.branch where graph = 1 and name = 'main' for update");
    let written = false;
    const waiting = create(other, 'Eve').then(() => {
      written = true;
    });
    await create(one, 'Bob', 'draft');
    await other.write({ graph: 'work' }, author, async (writer) => {
      await writer.addIdentities([{ type: 'person', name: 'Cid' }]);
    });
    expect(await idOf(one, 'Ann', 'main')).toBeDefined();
    await other.keepRejection('default', rejection);
    expect(await one.rejections('default')).toMatchObject([rejection]);
    await wait(50);
    expect(written).toBe(false);
    await holder.query('commit');
    await holder.end();
    await waiting;
    expect(await idOf(one, 'Eve', 'main')).toBeDefined();
  });

  // In a cluster, the workers wait, where this does not look.
  test.skipIf(isCitus)('a write and a new branch that waited for a purge know of it', async () => {
    await create(one, 'Ann');
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('begin');
    // A purge comes here after it has locked the branches.
    await holder.query('lock table trellis.rejection in access exclusive mode');
    const purged = one.purge('default', { text: 'secret-one' });
    await expect.poll(countWaiting).toBeGreaterThanOrEqual(1);
    const written = other.write({ graph: 'default' }, author, async ({ purges }) => purges);
    const forked = other.createBranch('default', 'draft');
    await expect.poll(countWaiting).toBeGreaterThanOrEqual(3);
    await holder.query('commit');
    await holder.end();
    await purged;
    expect((await written).result).toBe(1);
    expect(await forked).toMatchObject({ purges: 1 });
    expect(await one.branches('default')).toMatchObject([{ purges: 1 }, { purges: 1 }]);
  });

  describe.skipIf(isCitus)('what is being saved of a text when its purge begins goes with it', () => {
    const space = { model: 'm', perspective: '', dimension: 2 };
    const vectorsOf = ({ vectors }: Store) => {
      if (vectors === null) throw new Error('no vectors');
      return vectors;
    };
    const embed = async (wanted: string) => {
      const pending = await vectorsOf(one).pending('default', space, 10);
      const texts = pending.filter(({ text }) => text.includes(wanted));
      const vector = Float32Array.of(0, 1);
      const made = texts.map(({ document, purges }) => ({ document, purges, vector }));
      await vectorsOf(one).put('default', space, made);
    };
    /** Saves, which takes until a purge is done or waits for it; returns what is left in the table. */
    const purgeDuring = async (table: string, save: () => Promise<unknown>) => {
      await database.query(
        `create function hold() returns trigger language plpgsql as
          'begin perform pg_advisory_xact_lock(1); return null; end';
        create trigger hold after insert on trellis.${table} execute function hold()`,
      );
      const holder = new pg.Client(database.url);
      await holder.connect();
      await holder.query('select pg_advisory_lock(1)');
      const saving = save();
      await expect.poll(countWaiting).toBeGreaterThanOrEqual(1);
      let isPurged = false;
      const purging = other.purge('default', { text: 'made on' }).then(() => {
        isPurged = true;
      });
      await expect.poll(async () => isPurged || (await countWaiting()) >= 2).toBe(true);
      await holder.end();
      await Promise.all([saving, purging]);
      return database.query(`select * from trellis.${table}`);
    };

    test('vectors', async () => {
      await create(one, 'Ann');
      expect(await purgeDuring('text_vector', () => embed('made on'))).toEqual([]);
    });

    test('pairs of similar nodes', async () => {
      await create(one, 'Ann');
      await embed('Ann');
      const patch: NodePairsPatch = {
        ...{ branch: 1, space: 1, view: 0, base: null, version: 1, replacesAll: true, purges: 0 },
        ...{ seq: 1, vector: 1, upto: 1, body: new Uint8Array(8), chunks: [] },
      };
      const save = async () => expect(await vectorsOf(one).saveNodePairs('default', patch)).toBe(true);
      expect(await purgeDuring('node_pairs', save)).toEqual([]);
    });
  });

  test.each(['lock_timeout=1000', 'lock_timeout=1000&statement_timeout=1000'])(
    'a write that waits too long for a branch fails, and those behind it do not wait in turn: %s',
    async (settings) => {
      const impatient = await openStoreAtLocation(`${database.url}?${settings}`);
      const holder = new pg.Client(database.url);
      await holder.connect();
      await holder.query('begin');
      await holder.query('select 1 from trellis.branch where graph = 1 for update');
      const start = performance.now();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, (_, nth) => create(impatient, `n${nth}`)),
      );
      // In turn they would take ten seconds.
      expect(performance.now() - start).toBeLessThan(8_000);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORE_BUSY' } });
      await holder.query('commit');
      expect(await create(impatient, 'n0')).toMatchObject({ skipped: [] });
      await holder.end();
      await impatient.close();
    },
  );

  test('a statement that takes too long is ended by the database', async () => {
    const impatient = await openStoreAtLocation(`${database.url}?statement_timeout=200`);
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table trellis.node_row in access exclusive mode');
    await expect(idOf(impatient, 'Ann', 'main')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await holder.query('commit');
    expect(await idOf(impatient, 'Ann', 'main')).toBeUndefined();
    await holder.end();
    await impatient.close();
  });

  test('connections that were cut are replaced unnoticed', async () => {
    await create(one, 'Ann');
    for (let round = 0; round < 5; round++) {
      const busy = [create(one, `n${round}`), idOf(one, 'Ann', 'main'), create(other, `m${round}`)];
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'trellis'`,
      );
      await Promise.all(busy);
      expect(await idOf(other, `n${round}`, 'main')).toBeDefined();
    }
    expect(await one.check()).toEqual([]);
  });
});
