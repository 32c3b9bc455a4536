import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { findCommits } from '../../src/engine/history/find-commits.js';
import { type UndoReport, undo } from '../../src/engine/history/undo.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { stubType } from '../../src/model/node.js';
import { times } from '../helpers/full.js';
import { databaseKinds } from '../helpers/stores.js';
import { change, faults, RandomHistory, step } from './random-history.js';
import { author, Repository } from './repository.js';

describe.each(databaseKinds)('undo on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);
  let on: Repository;
  beforeEach(async () => {
    on = await newRepository();
    await on.create('main', 'a', ['one']);
    await on.create('main', 'b');
    await on.relate('main', 'a knows b');
  });

  const undoing = (commits: readonly (string | undefined)[], dryRun = false): Promise<UndoReport> =>
    undo(on.store, {
      ...{ graph: on.graph, author: { actor: 'ann', tool: 'undo' }, dryRun },
      commits: commits.map((id) => id ?? ''),
    });

  test.each([
    ['a new node', () => on.create('main', 'c', ['x'])],
    ['a removed node with its edges', () => on.remove('main', 'b')],
    ['a new edge, with the stub it made', () => on.relate('main', 'b likes ghost')],
    ['a removed edge', () => on.unrelate('main', 'a knows b')],
    ['a property', () => on.set('main', 'a', 'age', 3)],
    ['an observation', () => on.observe('main', 'a', 'two')],
    ['a replaced observation', () => on.replaceObservation('main', 'a', 1, 'uno')],
    ['a weight', () => on.weigh('main', 'a knows b', 0.3)],
  ])('takes back %s, as a commit of its own', async (_, act) => {
    const before = await on.look();
    const commit = await act();
    await on.create('main', 'later');
    const report = await undoing([commit?.id]);
    expect(report.commit).toMatchObject({ tool: 'undo', branch: 'main' });
    expect(report.undone).toMatchObject([{ commit: { id: commit?.id }, left: [] }]);
    const after = await on.look();
    expect(after.nodes.filter(({ name }) => name !== 'later')).toEqual(before.nodes);
    expect(after.edges).toEqual(before.edges);
  });

  test('things that one step restores and the next one changes go to the end, before what comes later', async () => {
    const started = Date.now();
    const commits = [
      await on.set('main', 'a', 'age', 3),
      await on.weigh('main', 'a knows b', 0.3),
      await on.remove('main', 'a'),
    ];
    await on.create('main', 'c');
    await undoing(commits.map((commit) => commit?.id).reverse());
    await on.create('main', 'd');
    await on.relate('main', 'c knows d');
    const { nodes, edges } = await on.store.read({ graph: on.graph }, async (reader) => ({
      nodes: await reader.nodes(),
      edges: await reader.edges(),
    }));
    expect(nodes.map(({ name, props }) => [name, props])).toEqual([
      ...[
        ['b', {}],
        ['c', {}],
      ],
      ...[
        ['a', {}],
        ['d', {}],
      ],
    ]);
    expect(edges.map(({ fromName, weight }) => [fromName, weight])).toEqual([
      ['a', 1],
      ['c', 1],
    ]);
    for (const { createdAt } of [...nodes, ...edges]) expect(createdAt).toBeGreaterThan(started - 60_000);
  });

  test('what one step takes back does not return with the next one, in whatever order', async () => {
    const first = await on.set('main', 'a', 'age', 3);
    const second = await on.set('main', 'a', 'size', 5);
    await undoing([first?.id, second?.id]);
    const [a] = await on.store.read({ graph: on.graph }, (reader) => reader.nodesNamed(['a']));
    expect(a?.props).toEqual({});
  });

  test('what later commits built on stays, and is told item by item', async () => {
    const commit = await on.write('main', async (tx) => {
      await createNodesLenient(tx, [
        { name: 'kept', type: 'thing', observations: ['x'] },
        { name: 'linked', type: 'thing', observations: [] },
        { name: 'gone', type: 'thing', observations: [] },
      ]);
      await createEdgesWithStubs(tx, [{ from: 'a', to: 'gone', type: 'knows' }]);
    });
    await on.observe('main', 'kept', 'y');
    await on.relate('main', 'a likes linked');
    const { undone } = await undoing([commit?.id]);
    expect(undone[0]?.left).toMatchObject([
      { kind: 'delete_vs_update', id: 'node/thing/kept' },
      { kind: 'orphan_edge', id: 'edge/a/likes/linked' },
    ]);
    expect(await on.brief()).toBe('a[one] b kept[x,y] linked | a knows b, a likes linked');
  });

  test('an edge goes with the commit that made it, also where its node of the same commit stays', async () => {
    const commit = await on.write('main', async (tx) => {
      await createNodesLenient(tx, [{ name: 'kept', type: 'thing', observations: ['x'] }]);
      await createEdgesWithStubs(tx, [{ from: 'a', to: 'kept', type: 'knows' }]);
    });
    await on.observe('main', 'kept', 'y');
    await undoing([commit?.id]);
    expect(await on.brief()).toBe('a[one] b kept[x,y] | a knows b');
  });

  test('a property that was changed again stays, the others of the same commit go', async () => {
    const commit = await on.change('main', 'a', () => ({ summary: 'first', props: { x: 1 } }));
    await on.set('main', 'a', 'x', 2);
    const { undone } = await undoing([commit?.id]);
    expect(undone[0]?.left).toEqual([
      {
        kind: 'divergent_update',
        ...{ id: 'node/thing/a', property: 'props.x', base: 1, ours: 2 },
      },
    ]);
    expect((await on.look()).nodes[0]).toMatchObject({ summary: null, props: { x: 2 } });
  });

  test('undoing twice does nothing the second time', async () => {
    const commit = await on.create('main', 'c');
    await undoing([commit?.id]);
    expect(await undoing([commit?.id])).toMatchObject({ commit: null, undone: [{ left: [] }] });
  });

  test('undoing the undo brings it back', async () => {
    const commit = await on.create('main', 'c', ['x']);
    const before = await on.look();
    const { commit: taken } = await undoing([commit?.id]);
    await undoing([taken?.id]);
    expect(await on.look()).toEqual(before);
  });

  test('a node returns with the facts that the stub in its place has kept', async () => {
    const before = await on.look();
    const commit = await on.write('main', async ({ rows }) => {
      const [node] = await rows.nodesNamed(['a']);
      await rows.putNodes([{ id: node?.id ?? 0, name: 'a', type: stubType, stub: true }]);
    });
    await undoing([commit?.id]);
    expect(await on.look()).toEqual(before);
  });

  test.each(['thing', 'place'])(
    'an edge made to the stub in its place stays as it is, after a last %s',
    async (last) => {
      // The stub has the id of the last node of its name.
      for (const type of ['thing', 'place'].sort((one) => (one === last ? 1 : -1))) {
        await on.create('main', 'c', [], type);
        await on.remove('main', 'c');
      }
      await on.create('main', 'c');
      await on.relate('main', 'a knows c', 'b knows c');
      const removed = await on.remove('main', 'c');
      await on.relate('main', 'a knows c');
      await on.weigh('main', 'a knows c', 0.25);
      await undoing([removed?.id]);
      const { edges } = await on.look();
      expect(edges.map(({ edge, weight }) => [edge, weight])).toEqual([
        ['a knows b', 1],
        ['a knows c', 0.25],
        ['b knows c', 1],
      ]);
      expect(await faults(on, { branch: 'main' })).toEqual([]);
    },
  );

  test('a merge is undone like any commit', async () => {
    await on.fork('try');
    await on.create('try', 'c');
    await on.remove('try', 'b');
    const before = await on.look();
    const { commit } = await on.merge('try');
    await undoing([commit?.id]);
    expect(await on.look()).toEqual(before);
    expect(await on.brief('try')).toBe('a[one] c | ');
  });

  test('a commit of another branch is refused until it is merged', async () => {
    await on.fork('try');
    const commit = await on.create('try', 'c');
    await expect(undoing([commit?.id])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await on.merge('try');
    await undoing([commit?.id]);
    expect(await on.brief()).toBe('a[one] b | a knows b');
  });

  test('all that an actor did since a time goes at once, newest first, and what others did stays', async () => {
    const before = await on.brief();
    const bot = { actor: 'bot', tool: 'test' };
    await on.write(
      'main',
      (tx) => createNodesLenient(tx, [{ name: 'c', type: 'thing', observations: [] }]),
      bot,
    );
    await on.write('main', (tx) => createEdgesWithStubs(tx, [{ from: 'c', to: 'a', type: 'owns' }]), bot);
    await on.create('main', 'mine');
    await on.fork('try');
    await on.write(
      'try',
      (tx) => createNodesLenient(tx, [{ name: 'd', type: 'thing', observations: [] }]),
      bot,
    );
    await on.merge('try');
    const wanted = { graph: on.graph, actor: 'bot', since: 0, except: ['undo'] };
    const commits = (await findCommits(on.store, wanted)).map(({ id }) => id);
    expect(commits).toHaveLength(3);
    const rehearsed = await undoing(commits, true);
    expect(await on.brief()).toBe('a[one] b c d mine | a knows b, c owns a');
    const { commit, undone } = await undoing(commits);
    expect(commit).not.toBeNull();
    expect(undone).toEqual(rehearsed.undone);
    expect(undone.map(({ left }) => left)).toEqual([[], [], []]);
    expect(await on.brief()).toBe(before.replace(' |', ' mine |'));
    expect(await findCommits(on.store, { ...wanted, since: Date.now() + 1_000 })).toEqual([]);
  });
});

test('any last commit of any history can be undone, and that leaves the state before it', async () => {
  const place = await Repository.inMemory();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), change, async (played, last) => {
        const history = new RandomHistory(await place.another());
        await history.play(played);
        const { on } = history;
        const [before, head] = [await on.look(), await on.head()];
        await history.change(last, 'main');
        if ((await on.head()) === head) return;
        const report = await undo(on.store, {
          ...{ graph: on.graph, author, commits: [await on.head()] },
        });
        expect(report.undone.map(({ left }) => left)).toEqual([[]]);
        expect(await on.look()).toEqual(before);
        expect(await faults(on, {})).toEqual([]);
      }),
      { numRuns: times(60, 300) },
    );
  } finally {
    await place.dispose();
  }
});
