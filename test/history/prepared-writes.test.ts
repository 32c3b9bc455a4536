import { beforeEach, describe, expect, test } from 'vitest';
import { MergeConflictError } from '../../src/engine/history/merge/conflict.js';
import { type MergeReport, mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { undo } from '../../src/engine/history/undo.js';
import type { Store } from '../../src/store/store-contract.js';
import { databaseKinds } from '../helpers/stores.js';
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
});
