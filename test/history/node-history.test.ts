import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshSeed } from '../../bench/lib/random.js';
import { diffToJson } from '../../src/engine/history/diff-json.js';
import { describeVersions, findNodeWithHistory } from '../../src/engine/history/node-history.js';
import { showCommit } from '../../src/engine/history/show-commit.js';
import type { NodeId } from '../../src/model/node.js';
import { times } from '../helpers/full.js';
import { databaseKinds } from '../helpers/stores.js';
import { RandomHistory, step } from './random-history.js';
import { Repository } from './repository.js';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());

const versionsOf = async (on: Repository, branch: string, node: NodeId, page: object = {}) => {
  const commits = await on.store.commits({ graph: on.graph, branch }, { limit: 1_000, ...page, node });
  return on.store.read({ graph: on.graph, branch }, (reader) => describeVersions(reader, node, commits));
};

describe.each(databaseKinds)(`the history of a node on $kind, seed ${seed}`, (kind) => {
  const newRepository = Repository.forSuite(kind);

  test('has what every commit of the branch changed of the node, its observations and its edges', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (played) => {
        const { on, branches } = await history(played);
        for (const branch of branches) {
          const commits = await on.store.commits({ graph: on.graph, branch }, { limit: 1_000 });
          const shown = await Promise.all(commits.map(({ id }) => showCommit(on.store, on.graph, id)));
          const ids = new Set(
            shown.flatMap(({ changes }) =>
              changes.nodes.map(({ before, after }) => (after ?? before)?.node.id ?? 0),
            ),
          );
          for (const node of ids) {
            const expected = shown.flatMap(({ commit, changes }) => {
              const nodes = changes.nodes.filter(({ before, after }) => (after ?? before)?.node.id === node);
              const edges = changes.edges.filter(({ before, after }) => {
                const edge = after ?? before;
                return edge?.from === node || edge?.to === node;
              });
              return nodes.length + edges.length === 0 ? [] : [{ commit, changes: { nodes, edges } }];
            });
            const versions = await versionsOf(on, branch, node);
            // A commit may touch a node and leave it as it was.
            const changing = versions.filter(({ changes }) => changes?.nodes.length || changes?.edges.length);
            expect(await readable(changing)).toEqual(await readable(expected));
          }
        }
      }),
      { seed, numRuns: times(4, 60) },
    );
  }, 120_000);

  async function history(played: Parameters<RandomHistory['play']>[0]): Promise<RandomHistory> {
    const made = new RandomHistory(await newRepository());
    await made.play(played);
    return made;
  }

  const readable = (versions: Awaited<ReturnType<typeof versionsOf>>) =>
    Promise.all(
      versions.map(async ({ commit, changes }) => ({
        commit: commit.id,
        changes: changes === null ? null : await diffToJson(changes),
      })),
    );
});

describe.each(databaseKinds)('finding a node with a history on $kind', (kind) => {
  let on: Repository;
  beforeEach(async () => {
    on = await Repository.on(kind);
  });
  afterEach(() => on.dispose());

  const find = (name: string, type?: string, branch = 'main') =>
    on.store.read({ graph: on.graph, branch }, (reader) => findNodeWithHistory(reader, { name, type }));

  test('a deleted node is found by its name, and its history ends with the deletion', async () => {
    await on.create('main', 'ann', ['one']);
    await on.remove('main', 'ann');
    const versions = await versionsOf(on, 'main', await find('ann'));
    expect(versions.map(({ changes }) => changes?.nodes.map(({ after }) => after === null))).toEqual([
      [true],
      [false],
    ]);
    expect(versions[0]?.commit).toMatchObject({ actor: 'ann', counts: { nodesDeleted: 1 } });
  });

  test('a name of several nodes needs a type; what only another branch ever had is not found', async () => {
    await on.create('main', 'ann', [], 'person');
    await on.create('main', 'ann', [], 'person');
    await on.fork('secret');
    await on.create('secret', 'bob', [], 'person');
    await expect(find('bob')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await find('bob', undefined, 'secret')).toEqual(expect.any(Number));
    await on.write('main', async ({ rows }) => {
      const [made] = await rows.addIdentities([{ type: 'city', name: 'ann' }]);
      await rows.putNodes([{ id: made?.node ?? 0, type: 'city', name: 'ann' }]);
    });
    await expect(find('ann')).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      details: { types: expect.arrayContaining(['person', 'city']) },
    });
    expect(await find('ann', 'city')).not.toBe(await find('ann', 'person'));
  });

  test('pages follow one another, and what was collected is said to be gone', async () => {
    await on.create('main', 'ann', ['one']);
    for (const value of [1, 2, 3]) await on.set('main', 'ann', 'x', value);
    const node = await find('ann');
    const [newest, second] = await versionsOf(on, 'main', node, { limit: 2 });
    const rest = await versionsOf(on, 'main', node, { before: second?.commit.seq });
    expect([newest, second, ...rest]).toEqual(await versionsOf(on, 'main', node));
    await on.store.collect(on.graph, { before: Date.now() + 60_000 });
    const after = await versionsOf(on, 'main', node);
    expect(after.map(({ changes }) => changes === null)).toContain(true);
    expect(after.map(({ commit }) => commit.id)).toHaveLength(4);
  });
});
