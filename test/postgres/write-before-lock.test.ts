import { afterEach, beforeEach, expect, test } from 'vitest';
import { MergeConflictError } from '../../src/engine/history/merge/conflict.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { undo } from '../../src/engine/history/undo.js';
import type { Commit } from '../../src/model/commit.js';
import { compileGraphSchema } from '../../src/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { SqlWriter } from '../../src/store/sql/write/sql-writer.js';
import type { Store } from '../../src/store/store-contract.js';
import type { Writer } from '../../src/store/writer.js';
import { author, changedStore, email, fillWithLargeBranch, graph } from '../helpers/large-branch.js';
import { block, node, own, prop, query } from '../query/build.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';
import { isCitus } from './support/nodes.js';
import { describeWithRealServer } from './support/real.js';

/** On a cluster, large merges lock the branch first. */
const describeOnOneServer = isCitus ? describeWithRealServer.skip : describeWithRealServer;

function reservedSeq(writer: Writer): number {
  if (writer instanceof SqlWriter && writer.commitSeq !== undefined) return writer.commitSeq;
  throw new Error('It has no number yet.');
}

async function put(writer: Writer, name: string, props: Readonly<Record<string, string>> = {}) {
  const [made] = await writer.addIdentities([{ type: 'Person', name }]);
  await writer.putNodes([{ id: made?.node ?? 0, type: 'Person', name, props: { email: name, ...props } }]);
}

describeOnOneServer('a large merge is written before its branch is locked', () => {
  let database: FreshDatabase;
  let store: Store;
  let other: Store;
  /** How often the work of the merge was done. */
  let runs: number;

  beforeEach(async () => {
    database = await freshDatabase();
    const open = () => openStoreAtLocation(database.url, { compileGraphSchema });
    [store, other] = [await open(), await open()];
    await store.createGraph(graph);
    await fillWithLargeBranch(store);
    runs = 0;
  });
  afterEach(async () => {
    await Promise.all([store.close(), other.close()]);
    await database.drop();
  });

  /** Merges, and does something else before or after the first time that the rows of the merge are written. */
  const mergeBeside = (
    meanwhile: {
      before?: () => Promise<unknown>;
      after?: (writer: Writer) => Promise<unknown>;
    },
    request: { graph?: string; target?: string } = {},
  ) => {
    const writePlanned: Store['writePlanned'] = (target, by, planned, stamp) => {
      const work: typeof planned.work = async (writer) => {
        runs += 1;
        const isFirst = runs === 1;
        if (isFirst) await meanwhile.before?.();
        const result = await planned.work(writer);
        if (isFirst) await meanwhile.after?.(writer);
        return result;
      };
      return store.writePlanned(target, by, { ...planned, work }, stamp);
    };
    const merged = { graph, source: 'draft', author, ...request };
    return mergeBranches(changedStore(store, { writePlanned }), merged);
  };

  const change = (name: string, props: Readonly<Record<string, string | number>>) =>
    other.write({ graph }, { actor: 'bob', tool: 'test' }, async (writer) => {
      const [node] = await writer.nodesNamed([name]);
      if (node !== undefined) await writer.putNodes([{ ...node, props: { ...node.props, ...props } }]);
    });
  const create = (name: string, props: Readonly<Record<string, string>> = {}, branch = 'main') =>
    other.write({ graph, branch }, { actor: 'bob', tool: 'test' }, (writer) => put(writer, name, props));
  const propsOf = (name: string) =>
    store.read({ graph }, async (reader) => (await reader.nodesNamed([name]))[0]?.props);
  const seqs = async () => (await store.commits({ graph }, { limit: 10 })).map(({ seq }) => seq);
  /** The next commit, of whatever branch, gets this number. */
  const setNextSeq = (seq: number) => database.query("select setval('trellis.commit_seq', $1, false)", [seq]);
  /** Rows that no commit has made. */
  const strayRows = () =>
    database.query(
      `select r.node from trellis.node_row r where not exists (
        select 1 from trellis.commit_log c where c.graph = r.graph and c.branch = r.branch and c.seq = r.born)`,
    );

  test('others write to the branch meanwhile, and their commits come first', async () => {
    const { commit, outcome } = await mergeBeside({ after: () => create('other@example.org') });
    expect(runs).toBe(1);
    expect(outcome).toBe('merged');
    const [merge, beside] = await store.commits({ graph }, { limit: 2 });
    expect([merge?.id, beside?.actor]).toEqual([commit?.id, 'bob']);
    expect(merge?.parent).toBe(beside?.id);
    await create('later@example.org');
    expect(await seqs()).toEqual((await seqs()).toSorted((a, b) => b - a));
    expect(await propsOf('other@example.org')).toEqual({ email: 'other@example.org' });
    expect(await propsOf(email(7))).toMatchObject({ city: expect.stringMatching(/^town/) });
  });

  test('nobody sees any of it before its end', async () => {
    let seen: unknown;
    await mergeBeside({
      after: async () => {
        seen = await other.read({ graph }, async (reader) => [
          (await reader.nodesNamed([email(7)]))[0]?.props['city'],
          (await reader.nodesNamed([email(3), 'new@example.org'])).length,
        ]);
      },
    });
    expect(seen).toEqual(['city 0', 1]);
  });

  test('what it depends on was changed before: it is planned again', async () => {
    await mergeBeside({ before: () => change(email(7), { age: 77 }) });
    expect(runs).toBe(2);
    expect(await propsOf(email(7))).toMatchObject({ age: 77, city: expect.stringMatching(/^town/) });
  });

  test('somebody waits for a row that it has written: they come first, and it is planned again', async () => {
    let changed: Promise<unknown> = Promise.resolve();
    await mergeBeside({
      after: async (writer) => {
        changed = change(email(7), { age: 78 });
        // It goes on until it is cancelled.
        for (;;) await writer.counts();
      },
    });
    await changed;
    expect(await propsOf(email(7))).toMatchObject({ age: 78, city: expect.stringMatching(/^town/) });
    expect(await seqs()).toEqual((await seqs()).toSorted((a, b) => b - a));
  });

  test('what others wrote meanwhile is validated with it', async () => {
    const unique =
      'node Person { email: String @key  age: I32?  city: String? @index  nick: String? @unique }';
    await store.write({ graph }, author, (writer) => writer.setSchema(unique));
    await mergeBranches(store, { graph, source: 'main', target: 'draft', author });
    await store.write({ graph, branch: 'draft' }, author, async (writer) => {
      const [node] = await writer.nodesNamed([email(9)]);
      if (node !== undefined) await writer.putNodes([{ ...node, props: { ...node.props, nick: 'Nine' } }]);
    });
    const merging = mergeBeside({ after: () => create('nine@example.org', { nick: 'Nine' }) });
    await expect(merging).rejects.toBeInstanceOf(MergeConflictError);
    expect(await propsOf(email(9))).not.toHaveProperty('nick');
    expect(await propsOf('nine@example.org')).toMatchObject({ nick: 'Nine' });
  });

  test('a property that was indexed meanwhile has entries of all its rows', async () => {
    const valueType = { kind: 'scalar', scalar: 'I32', nullable: true } as const;
    await mergeBeside({
      after: () =>
        other.write({ graph, branch: 'draft' }, author, (writer) =>
          writer.indexProperties([{ type: 'Person', property: 'age', valueType }]),
        ),
    });
    const missing = await database.query(
      `select r.node from trellis.node_row r where r.died is null and r.props::json ->> 'age' is not null
        and (select count(*) from trellis.property_value p where p.row = r.row) <> 3`,
    );
    expect(missing).toEqual([]);
  });

  test('another large merge into another graph does not make it start again', async () => {
    await other.createGraph('second');
    await fillWithLargeBranch(other, 'second');
    await mergeBeside({ after: () => mergeBranches(other, { graph: 'second', source: 'draft', author }) });
    expect(runs).toBe(1);
    await create('later@example.org');
    expect(await seqs()).toEqual((await seqs()).toSorted((a, b) => b - a));
  });

  test('the branch has a commit with a higher number: it is done again', async () => {
    await mergeBeside({
      after: async (writer) => {
        await setNextSeq(reservedSeq(writer) + 1);
        await create('other@example.org');
      },
    });
    expect(runs).toBe(2);
    expect(await seqs()).toEqual((await seqs()).toSorted((a, b) => b - a));
  });

  test('a commit to another branch has the number that it reserved: it is done again', async () => {
    await store.createBranch(graph, 'side');
    let reserved = 0;
    let side: Commit | null = null;
    const { commit } = await mergeBeside({
      after: async (writer) => {
        reserved = reservedSeq(writer);
        await setNextSeq(reserved);
        side = (await create('side@example.org', {}, 'side')).commit;
      },
    });
    expect(side).toMatchObject({ seq: reserved });
    expect(commit?.seq).toBeGreaterThan(reserved);
    expect(runs).toBe(2);
    expect(await strayRows()).toEqual([]);
  });

  test('a write to another branch has the number that it reserved, and ends later: that is done again', async () => {
    await store.createBranch(graph, 'side');
    let reserved = 0;
    let writing: ReturnType<typeof create> | undefined;
    const merging = mergeBeside({
      after: (merge) =>
        new Promise<void>((begun) => {
          reserved = reservedSeq(merge);
          writing = setNextSeq(reserved).then(() =>
            other.write({ graph, branch: 'side' }, author, async (writer) => {
              await put(writer, 'side@example.org');
              begun();
              await merging;
            }),
          );
        }),
    });
    expect((await merging).commit?.seq).toBe(reserved);
    expect((await writing)?.commit?.seq).toBeGreaterThan(reserved);
    expect(runs).toBe(1);
    expect(await strayRows()).toEqual([]);
  });

  test('a graph that took the place of its own meanwhile gets nothing of it', async () => {
    await store.createGraph('new');
    await store.createBranch('new', 'draft');
    await store.write({ graph: 'new', branch: 'draft' }, author, async (writer) => {
      for (let index = 0; index < 1_200; index++) await put(writer, email(index));
    });
    const merging = mergeBeside(
      {
        after: async () => {
          await other.deleteGraph('new');
          await other.createGraph('new');
        },
      },
      { graph: 'new' },
    );
    await expect(merging).rejects.toMatchObject({ code: 'COMMIT_NOT_FOUND' });
    expect(await store.commits({ graph: 'new' })).toEqual([]);
    expect(await strayRows()).toEqual([]);
  });

  test('a branch that took the place of its target meanwhile gets all of it', async () => {
    await store.createBranch(graph, 'team');
    const { outcome } = await mergeBeside(
      {
        after: async () => {
          await other.deleteBranch(graph, 'team');
          await other.createBranch(graph, 'team');
        },
      },
      { target: 'team' },
    );
    expect([runs, outcome]).toEqual([2, 'merged']);
    expect(
      await store.read({ graph, branch: 'team' }, async (reader) => (await reader.nodesNamed([email(7)]))[0]),
    ).toMatchObject({ props: { city: expect.stringMatching(/^town/) } });
    expect(await strayRows()).toEqual([]);
  });

  test('what is purged meanwhile does not come back with it', async () => {
    await store.write({ graph, branch: 'draft' }, author, (writer) =>
      put(writer, 'ann@example.org', { city: 'the secret place' }),
    );
    await mergeBeside({ after: () => other.purge(graph, { text: 'secret' }) });
    expect(await propsOf('ann@example.org')).toMatchObject({ city: 'the [purged] place' });
    expect(
      await database.query(
        `select row from trellis.node_row where props like '%secret%'
          union all select row from trellis.property_value where value like '%secret%'`,
      ),
    ).toEqual([]);
  });

  test('several at once leave connections to others', async () => {
    await store.close();
    store = await openStoreAtLocation(`${database.url}?max=4`, { compileGraphSchema });
    const targets = ['one', 'two', 'three', 'four'];
    for (const target of targets) await store.createBranch(graph, target);
    let begun = 0;
    const others = async () => {
      await expect.poll(() => begun).toBe(targets.length);
      await store.write({ graph }, author, (writer) => put(writer, 'other@example.org'));
      return propsOf('other@example.org');
    };
    const othersDone = others();
    const writePlanned: Store['writePlanned'] = (target, by, planned, stamp) => {
      const work: typeof planned.work = async (writer) => {
        await othersDone.catch(() => {});
        return planned.work(writer);
      };
      begun += 1;
      return store.writePlanned(target, by, { ...planned, work }, stamp);
    };
    const slow = changedStore(store, { writePlanned });
    const merged = await Promise.allSettled(
      targets.map((target) => mergeBranches(slow, { graph, source: 'draft', target, author })),
    );
    expect(await othersDone).toEqual({ email: 'other@example.org' });
    expect(merged).toMatchObject(targets.map(() => ({ value: { outcome: 'merged' } })));
  });

  test('a connection lost on the way leaves nothing, and it is done again', async () => {
    await mergeBeside({
      after: () =>
        database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`,
        ),
    });
    expect(runs).toBe(2);
    expect(await propsOf(email(7))).toMatchObject({ city: expect.stringMatching(/^town/) });
    expect(
      await database.query(
        'select count(*)::int as live from trellis.node_row where branch = 1 and died is null',
      ),
    ).toEqual([{ live: 1_200 }]);
    expect(await store.check()).toEqual([]);
  });

  test('its words are found although rows with higher numbers were there before', async () => {
    const named = async (text: string) => {
      const operand = prop('p.city', 'String');
      const asked = query(
        block([node('p', 'Person')], { conditions: [{ kind: 'fuzzy', operand, text, edits: null }] }),
        [own('p.id')],
      );
      return (await other.read({ graph }, (reader) => reader.query(asked))).rows.length;
    };
    // From the second time on, words are looked up in memory.
    for (let times = 0; times < 3; times++) expect(await named('towns')).toBe(0);
    await mergeBeside({
      after: async () => {
        await create('other@example.org', { city: 'Towne' });
        expect(await named('towns')).toBe(1);
      },
    });
    expect(runs).toBe(1);
    expect(await named('towns')).toBe(1_200);
  });

  test('its undo is written in the same way', async () => {
    const before = await propsOf(email(7));
    const { commit } = await mergeBeside({});
    await undo(store, { graph, commits: [commit?.id ?? ''], author });
    expect(await propsOf(email(7))).toEqual(before);
    expect(await propsOf(email(3))).toBeDefined();
    expect(await seqs()).toEqual((await seqs()).toSorted((a, b) => b - a));
  });
});
