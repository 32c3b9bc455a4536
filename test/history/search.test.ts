import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchSubstring } from '../../src/engine/read/search-substring.js';
import { searchRanked } from '../../src/search/search-ranked.js';
import { databaseKinds } from '../helpers/stores.js';
import { Repository } from './repository.js';

const searches = [
  ['substring', searchSubstring],
  ['ranked', searchRanked],
] as const;

describe.each(databaseKinds)('search on $kind', (kind) => {
  let on: Repository;
  let first: string;
  let second: string;
  let onTry: string;

  beforeAll(async () => {
    on = await Repository.on(kind);
    await on.create('main', 'ann', ['plays the bassoon'], 'person');
    await on.create('main', 'bob', ['hates noise'], 'person');
    first = await on.head();
    await on.fork('try');
    await on.create('main', 'cat', ['sleeps beside the bassoon'], 'animal');
    await on.set('main', 'bob', 'hobby', 'bassoon');
    second = await on.head();
    await on.replaceObservation('main', 'ann', 1, 'plays the oboe');
    await on.remove('try', 'ann');
    await on.create('try', 'dan', ['repairs a bassoon'], 'person');
    onTry = await on.head('try');
    await on.create('try', 'eve', ['sells one bassoon'], 'person');
    await on.fork('deeper', 'try');
    await on.remove('deeper', 'dan');
  });
  afterAll(() => on.dispose());

  const states = [
    ['main', () => ({ branch: 'main' }), ['bob', 'cat']],
    ['a branch, with what it has removed and made', () => ({ branch: 'try' }), ['dan', 'eve']],
    ['a branch of a branch', () => ({ branch: 'deeper' }), ['eve']],
    ['a commit of main before the fork', () => ({ commit: first }), ['ann']],
    ['a commit of main', () => ({ commit: second }), ['ann', 'bob', 'cat']],
    ['a commit of a branch', () => ({ commit: onTry }), ['dan']],
  ] as const;

  describe.each(searches)('%s', (_, search) => {
    test.each(states)('sees exactly %s', async (_state, place, expected) => {
      const look = () =>
        on.store.read({ graph: on.graph, ...place() }, async (reader) =>
          (await search(reader, 'bassoon', { limit: 50 })).nodes.map(({ node }) => node.name).sort(),
        );
      expect(await look()).toEqual(expected);
      // The same once the text index has caught up.
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await look()).toEqual(expected);
    });
  });
});
