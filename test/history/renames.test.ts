import { beforeEach, describe, expect, test } from 'vitest';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { undo } from '../../src/engine/history/undo.js';
import type { Store } from '../../src/store/store-contract.js';
import { changedStore } from '../helpers/large-branch.js';
import { databaseKinds } from '../helpers/stores.js';
import { faults } from './random-history.js';
import { author, Repository } from './repository.js';

describe.each(databaseKinds)('the edges of a renamed node name it, on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);
  let on: Repository;
  beforeEach(async () => {
    on = await newRepository();
    for (const name of ['a', 'b', 'c']) await on.create('main', name);
    await on.relate('main', 'a knows b', 'b knows b');
    await on.fork('draft');
  });

  test('after a merge of the new name', async () => {
    await on.rename('draft', 'b', 'd');
    await on.merge('draft');
    expect(await on.look()).toEqual(await on.look({ branch: 'draft' }));
    expect(await on.brief()).toBe('a c d | a knows d, d knows d');
  });

  test('after a merge, also those that the target has added', async () => {
    await on.rename('draft', 'b', 'd');
    await on.relate('main', 'b likes c');
    await on.weigh('main', 'a knows b', 0.5);
    await on.merge('draft');
    expect(await on.brief()).toBe('a c d | a knows d, d knows d, d likes c');
  });

  test('after a merge, also those that the source has added or changed under the old name', async () => {
    await on.rename('main', 'b', 'd');
    await on.relate('draft', 'b likes c');
    await on.weigh('draft', 'a knows b', 0.5);
    await on.merge('draft');
    expect(await on.brief()).toBe('a c d | a knows d, d knows d, d likes c');
  });

  test('after a merge, also those that others add while it is prepared', async () => {
    await on.rename('draft', 'b', 'd');
    let plans = 0;
    const rehearse: Store['rehearse'] = async (...given) => {
      const planned = await on.store.rehearse(...given);
      if (++plans === 1) await on.relate('main', 'c knows b');
      return planned;
    };
    await mergeBranches(changedStore(on.store, { rehearse }), { graph: on.graph, source: 'draft', author });
    expect(plans).toBe(2);
    expect(await on.brief()).toBe('a c d | a knows d, c knows d, d knows d');
  });

  test('after a merge, also those of the stub whose name it takes', async () => {
    await on.relate('main', 'a knows d', 'c knows d', 'd knows b');
    await on.rename('draft', 'b', 'd');
    await on.relate('draft', 'c knows d');
    await on.merge('draft');
    expect(await on.brief()).toBe('a c d | a knows d, c knows d, d knows d');
    expect(await faults(on, { branch: 'main' })).toEqual([]);
  });

  test('after the new name is undone', async () => {
    const renamed = await on.rename('main', 'b', 'd');
    await on.relate('main', 'c knows d');
    await undo(on.store, { graph: on.graph, commits: [renamed?.id ?? ''], author });
    expect(await on.brief()).toBe('a b c | a knows b, b knows b, c knows b');
  });
});
