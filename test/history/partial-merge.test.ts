import { beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { Repository } from './repository.js';

describe.each(databaseKinds)('merging some of the changes, on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);
  let on: Repository;
  beforeEach(async () => {
    on = await newRepository();
    await on.create('main', 'a', ['one']);
    await on.create('main', 'b', ['bee']);
    await on.fork('try');
    await on.set('try', 'a', 'age', 7);
    await on.create('try', 'c', ['sea']);
    await on.relate('try', 'a knows c', 'a knows b');
  });

  const names = async () => (await on.look()).nodes.map(({ name }) => name);
  const edges = async () => (await on.look()).edges.map(({ edge }) => edge);

  test('what is not taken stays as the target has it', async () => {
    await on.set('main', 'a', 'age', 8);
    await on.merge('try', 'main', { take: ['edge/a/knows/b'] });
    expect(await names()).toEqual(['a', 'b']);
    expect(await edges()).toEqual(['a knows b']);
    expect((await on.look()).nodes[0]).toMatchObject({ props: { age: 8 } });
  });

  test('a later merge does not bring back what was left out', async () => {
    await on.merge('try', 'main', { take: ['edge/a/knows/b'] });
    await on.create('try', 'd');
    await on.merge('try');
    expect(await names()).toEqual(['a', 'b', 'd']);
    expect((await on.look()).nodes[0]?.props ?? {}).toEqual({});
  });

  test('an edge to a node that is left out is a conflict', async () => {
    const merging = on.merge('try', 'main', { take: ['edge/a/knows/c'] });
    await expect(merging).rejects.toMatchObject({ code: 'MERGE_CONFLICT' });
    expect(await edges()).toEqual([]);
  });

  test('an id that means nothing is refused', async () => {
    const merging = on.merge('try', 'main', { take: ['edge/a/knows/b', 'node/x/nobody'] });
    await expect(merging).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await edges()).toEqual([]);
  });
});
