import { beforeEach, describe, expect, test } from 'vitest';
import { MergeConflictError } from '../../src/engine/history/merge/conflict.js';
import { type MergeReport, mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { purgeText } from '../../src/engine/history/purge-text.js';
import { undo } from '../../src/engine/history/undo.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { TrellisError } from '../../src/model/error.js';
import type { Reader } from '../../src/store/reader.js';
import type { Store } from '../../src/store/store-contract.js';
import { changedStore } from '../helpers/large-branch.js';
import { databaseKinds } from '../helpers/stores.js';
import { faults } from './random-history.js';
import { author, Repository } from './repository.js';

describe.each(databaseKinds)('what others write while a merge is prepared, on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);
  let on: Repository;
  beforeEach(async () => {
    on = await newRepository();
    for (const name of ['a', 'b', 'c']) await on.create('main', name, ['one']);
    await on.fork('draft');
  });

  /** The store, with something happening after each plan and before the write. */
  const interrupted = (act: (plan: number) => Promise<unknown>): { store: Store; plans: () => number } => {
    let plans = 0;
    const rehearse: Store['rehearse'] = async (target, work, options) => {
      const planned = await on.store.rehearse(target, work, options);
      await act(++plans);
      return planned;
    };
    const store = new Proxy(on.store, {
      get: (known, name) => {
        if (name === 'rehearse') return rehearse;
        const value = Reflect.get(known, name, known);
        return typeof value === 'function' ? value.bind(known) : value;
      },
    });
    return { store, plans: () => plans };
  };
  const merging = (store: Store): Promise<MergeReport> =>
    mergeBranches(store, { graph: on.graph, source: 'draft', author });

  test('is there beside what was merged, if it is about other things', async () => {
    await on.set('draft', 'a', 'color', 'red');
    const { store, plans } = interrupted(() => on.set('main', 'b', 'color', 'blue'));
    const report = await merging(store);
    expect(plans()).toBe(1);
    // The target had something new after all.
    expect(report.outcome).toBe('merged');
    expect(await on.brief()).toBe('a(color="red")[one] b(color="blue")[one] c[one] | ');
  });

  test('is a conflict, if it is about the same', async () => {
    await on.set('draft', 'a', 'color', 'red');
    const { store } = interrupted((plan) => on.set('main', 'a', 'color', `blue ${plan}`));
    const error = await merging(store).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MergeConflictError);
    expect(error).toMatchObject({
      conflicts: [{ id: 'node/thing/a', property: 'props.color', ours: 'blue 1' }],
    });
  });

  test('is merged with it, if it is about another property of the same node', async () => {
    await on.set('draft', 'a', 'color', 'red');
    const { store } = interrupted((plan) =>
      plan === 1 ? on.set('main', 'a', 'size', 3) : Promise.resolve(),
    );
    await merging(store);
    expect(await on.brief()).toBe('a(size=3,color="red")[one] b[one] c[one] | ');
  });

  test('is a conflict, if it is an edge to a node that goes', async () => {
    await on.remove('draft', 'a');
    const { store } = interrupted((plan) =>
      plan === 1 ? on.relate('main', 'b knows a') : Promise.resolve(),
    );
    await expect(merging(store)).rejects.toMatchObject({ conflicts: [{ kind: 'orphan_edge' }] });
    expect(await on.brief()).toBe('a[one] b[one] c[one] | b knows a');
  });

  test('is a conflict, if it removes a node that gets an edge', async () => {
    await on.relate('draft', 'a knows b');
    const { store } = interrupted((plan) => (plan === 1 ? on.remove('main', 'b') : Promise.resolve()));
    await expect(merging(store)).rejects.toMatchObject({ conflicts: [{ kind: 'orphan_edge' }] });
    expect(await on.brief()).toBe('a[one] c[one] | ');
  });

  test('is about the new node, if it is an edge to its name', async () => {
    await on.create('draft', 'd');
    const { store, plans } = interrupted((plan) =>
      plan === 1 ? on.relate('main', 'a knows d') : Promise.resolve(),
    );
    await merging(store);
    expect(plans()).toBe(2);
    expect(await on.brief()).toBe('a[one] b[one] c[one] d | a knows d');
    expect((await on.look()).nodes.filter(({ stub }) => stub)).toEqual([]);
  });

  test('stays, if it is an edge to a stub that one step claims and the next one removes', async () => {
    // The stub has the id of the place.
    for (const type of ['thing', 'place']) {
      await on.create('main', 'g', [], type);
      await on.remove('main', 'g');
    }
    const made = await on.write('main', async (tx) => {
      await createNodesLenient(tx, [{ name: 'g', type: 'thing', observations: [] }]);
      await createEdgesWithStubs(tx, [{ from: 'a', to: 'g', type: 'to' }]);
    });
    const removed = await on.remove('main', 'g');
    await on.relate('main', 'a to g');
    const { store, plans } = interrupted((plan) =>
      plan === 1 ? on.relate('main', 'b to g') : Promise.resolve(),
    );
    const commits = [removed?.id ?? '', made?.id ?? ''];
    await undo(store, { graph: on.graph, commits, author });
    expect(plans()).toBe(2);
    expect((await on.look()).edges).toMatchObject([{ edge: 'b to g' }]);
    expect(await faults(on, { branch: 'main' })).toEqual([]);
  });

  test('is reported, if it has the name of a new node', async () => {
    await on.create('draft', 'd', []);
    const { store } = interrupted((plan) =>
      plan === 1 ? on.create('main', 'd', [], 'other') : Promise.resolve(),
    );
    expect((await merging(store)).sharedNames).toEqual(['d']);
  });

  test('leaves nothing to do, if it is the same merge', async () => {
    await on.set('draft', 'a', 'color', 'red');
    const { store } = interrupted((plan) => (plan === 1 ? on.merge('draft') : Promise.resolve()));
    expect((await merging(store)).outcome).toBe('already_up_to_date');
  });

  test('does not keep a merge from happening for ever', async () => {
    await on.set('draft', 'a', 'color', 'red');
    const { store, plans } = interrupted((plan) => on.set('main', 'a', 'size', plan));
    expect((await merging(store)).outcome).toBe('merged');
    expect(plans()).toBe(3);
    expect(await on.brief()).toBe('a(size=3,color="red")[one] b[one] c[one] | ');
  });

  test('stays, and is reported by an undo', async () => {
    const commit = await on.write('main', async ({ rows }) => {
      const nodes = await rows.nodesNamed(['a', 'b']);
      await rows.putNodes(nodes.map((node) => ({ ...node, props: { color: 'red' } })));
    });
    const { store, plans } = interrupted((plan) =>
      plan === 1 ? on.set('main', 'a', 'color', 'blue') : Promise.resolve(),
    );
    const { undone } = await undo(store, { graph: on.graph, commits: [commit?.id ?? ''], author });
    expect(plans()).toBe(2);
    expect(undone).toMatchObject([{ left: [{ id: 'node/thing/a', ours: 'blue' }] }]);
    expect(await on.brief()).toBe('a(color="blue")[one] b[one] c[one] | ');
  });

  test('stays, and the undo fails, if gc has forgotten that it was written', async () => {
    await on.store.deleteBranch(on.graph, 'draft');
    const commit = await on.relate('main', 'a knows b');
    const { store } = interrupted(async () => {
      await on.weigh('main', 'a knows b', 9);
      for (const text of ['two', 'three', 'four']) await on.observe('main', 'c', text);
      await on.store.collect(on.graph, { before: Number.MAX_SAFE_INTEGER });
    });
    const undoing = undo(store, { graph: on.graph, commits: [commit?.id ?? ''], author });
    await expect(undoing).rejects.toMatchObject({ code: 'COMMIT_COLLECTED' });
    expect((await on.look()).edges).toMatchObject([{ edge: 'a knows b', weight: 9 }]);
  });

  test('stays, and the undo fails, if gc begins while it is planned', async () => {
    const commit = await on.set('main', 'a', 'color', 'red');
    await on.set('main', 'a', 'color', 'blue');
    // As on PostgreSQL in a write, where statements do not share a snapshot.
    const collecting = (reader: Reader): Reader => {
      let isCollected = false;
      return new Proxy(reader, {
        get: (known, name) => {
          if (name === 'nodesTouchedSince') {
            isCollected = true;
            return async () => new Set();
          }
          if (name === 'at' && isCollected)
            return async () => Promise.reject(new TrellisError('COMMIT_COLLECTED', 'It is gone.'));
          const value = Reflect.get(known, name, known);
          return typeof value === 'function' ? value.bind(known) : value;
        },
      });
    };
    const rehearse: Store['rehearse'] = (target, work, options) =>
      on.store.rehearse(target, (writer, reader) => work(writer, collecting(reader)), options);
    const undoing = undo(changedStore(on.store, { rehearse }), {
      ...{ graph: on.graph, commits: [commit?.id ?? ''], author },
    });
    await expect(undoing).rejects.toMatchObject({ code: 'COMMIT_COLLECTED' });
    expect(await on.brief()).toBe('a(color="blue")[one] b[one] c[one] | ');
  });

  test('is all there is, if it is another graph of the same name', async () => {
    on = await newRepository();
    await on.fork('draft');
    await on.create('draft', 'a');
    const { store } = interrupted(async () => {
      await on.store.deleteGraph(on.graph);
      await on.store.createGraph(on.graph);
    });
    await expect(merging(store)).rejects.toMatchObject({ code: 'COMMIT_NOT_FOUND' });
    expect(await on.store.commits({ graph: on.graph })).toEqual([]);
    expect(await on.brief()).toBe(' | ');
  });

  const secret = 'secret-one';
  const purging = (dryRun = false) =>
    purgeText(on.store, { graph: on.graph, text: secret, author: { ...author, tool: 'purge' }, dryRun });
  /** Looks at every version of everything. */
  const expectPurged = async () =>
    expect(await purging(true)).toEqual({
      ...{ names: 0, nodes: 0, observations: 0, edges: 0, rejections: 0, commits: 0, schemas: 0 },
      left: [],
    });

  test('does not come back, if it was purged from the source of a merge', async () => {
    await on.set('draft', 'a', 'pin', secret);
    await on.observe('draft', 'b', `the pin is ${secret}`);
    await on.create('draft', `safe of ${secret}`);
    const { store, plans } = interrupted((plan) => (plan === 1 ? purging() : Promise.resolve()));
    expect(JSON.stringify((await merging(store)).changes)).not.toContain(secret);
    expect(plans()).toBe(2);
    expect(await on.brief()).toBe(
      'a(pin="[purged]")[one] b[one,the pin is [purged]] c[one] safe of [purged] | ',
    );
    await expectPurged();
  });

  test('does not come back, if it was purged from the target of a merge, a branch without a new commit', async () => {
    await on.set('draft', 'a', 'pin', secret);
    await on.set('main', 'a', 'color', 'red');
    const { store, plans } = interrupted((plan) => (plan === 1 ? purging() : Promise.resolve()));
    await mergeBranches(store, { graph: on.graph, source: 'main', target: 'draft', author });
    expect(plans()).toBe(2);
    expect(await on.brief('draft')).toBe('a(pin="[purged]",color="red")[one] b[one] c[one] | ');
    await expectPurged();
  });

  test('does not come back, if the target was forked again after the purge', async () => {
    await on.fork('other');
    await on.set('draft', 'a', 'pin', secret);
    const { store, plans } = interrupted(async (plan) => {
      if (plan > 1) return;
      await on.store.purge(on.graph, { text: secret });
      await on.store.deleteBranch(on.graph, 'other');
      await on.fork('other');
    });
    await mergeBranches(store, { graph: on.graph, source: 'draft', target: 'other', author });
    expect(plans()).toBe(2);
    expect(await on.brief('other')).toBe('a(pin="[purged]")[one] b[one] c[one] | ');
    await expectPurged();
  });

  test('does not come back, if each plan was made before another purge', async () => {
    await on.set('draft', 'a', 'pin', secret);
    const { store, plans } = interrupted(() => purging());
    await merging(store);
    expect(plans()).toBe(3);
    expect(await on.brief()).toBe('a(pin="[purged]")[one] b[one] c[one] | ');
    await expectPurged();
  });

  test('does not come back by an undo, if it was purged', async () => {
    await on.set('main', 'a', 'pin', secret);
    await on.observe('main', 'b', `the pin is ${secret}`);
    const removed = await on.remove('main', 'a', 'b');
    const { store, plans } = interrupted((plan) => (plan === 1 ? purging() : Promise.resolve()));
    const { undone } = await undo(store, { graph: on.graph, commits: [removed?.id ?? ''], author });
    expect(plans()).toBe(2);
    expect(JSON.stringify(undone)).not.toContain(secret);
    expect(await on.brief()).toBe('a(pin="[purged]")[one] b[one,the pin is [purged]] c[one] | ');
    await expectPurged();
  });

  test('is no reason to plan again, if a purge was only tried', async () => {
    await on.set('draft', 'a', 'pin', secret);
    const { store, plans } = interrupted(() => purging(true));
    await merging(store);
    expect(plans()).toBe(1);
    expect(await on.brief()).toBe(`a(pin="${secret}")[one] b[one] c[one] | `);
  });
});
