import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { Repository } from './repository.js';

test.each(databaseKinds)(
  'collecting leaves the commit that two branches last shared, also one that is neither head nor fork, on $kind',
  async (kind) => {
    const on = await Repository.on(kind);
    await on.create('main', 'a', ['one']);
    await on.fork('try');
    await on.replaceObservation('try', 'a', 1, 'two');
    const shared = await on.head('try');
    await on.merge('try');
    for (const text of ['three', 'four', 'five']) await on.replaceObservation('try', 'a', 1, text);
    for (const age of [1, 2, 3]) await on.set('main', 'a', 'age', age);
    const { commits } = await on.store.collect(on.graph, { before: Date.now() + 60_000 });
    expect(commits).toBeGreaterThan(0);
    expect((await on.look({ commit: shared })).nodes[0]?.observations).toEqual([{ ordinal: 1, text: 'two' }]);
    expect(await on.merge('try')).toMatchObject({ outcome: 'merged', conflicts: [] });
    expect(await on.brief()).toBe('a(age=3)[five] | ');
    await on.dispose();
  },
);
