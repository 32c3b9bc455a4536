import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffRefs } from '../../src/engine/history/diff-states.js';
import { resolveRef } from '../../src/engine/history/resolve-ref.js';
import { databaseKinds } from '../helpers/stores.js';
import { Repository } from './repository.js';

describe.each(databaseKinds)('what a name of a state means, on $kind', (kind) => {
  let on: Repository;
  beforeAll(async () => {
    on = await Repository.on(kind);
    await on.create('main', 'a');
    await on.fork('try');
    await on.create('try', 'b');
  });
  afterAll(() => on.dispose());

  const meaning = (ref: string) => resolveRef(on.store, on.graph, ref);

  test('a branch is its head', async () => {
    expect(await meaning('try')).toBe(await on.head('try'));
  });

  test('a commit is itself, whichever branch it is on', async () => {
    for (const branch of ['main', 'try'])
      expect(await meaning(await on.head(branch))).toBe(await on.head(branch));
  });

  test('a branch without any commit means the empty graph', async () => {
    const empty = await on.another();
    expect(await resolveRef(empty.store, empty.graph, 'main')).toBeNull();
  });

  test('what is neither is an error that says so', async () => {
    const neither = { code: 'COMMIT_NOT_FOUND', details: { graph: on.graph, ref: 'nope' } };
    await expect(meaning('nope')).rejects.toMatchObject(neither);
    await expect(diffRefs(on.store, { graph: on.graph, from: 'main', to: 'nope' })).rejects.toMatchObject(
      neither,
    );
  });

  test('a graph that is not there is told as it is', async () => {
    await expect(resolveRef(on.store, 'nope', 'main')).rejects.toMatchObject({ code: 'GRAPH_NOT_FOUND' });
  });
});
