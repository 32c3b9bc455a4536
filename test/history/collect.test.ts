import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffToJson } from '../../src/engine/history/diff-json.js';
import { TrellisError } from '../../src/model/error.js';
import { times } from '../helpers/full.js';
import { databaseKinds } from '../helpers/stores.js';
import { faults, RandomHistory, step } from './random-history.js';
import { Repository } from './repository.js';

const places = [
  { name: 'SQLite in memory', open: () => Repository.inMemory(), runs: times(20, 100) },
  ...databaseKinds.map((kind) => ({ name: kind.kind, open: () => Repository.on(kind), runs: times(2, 5) })),
];

describe.each(places)('collecting: $name', ({ open, runs }) => {
  let place: Repository;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.dispose());

  const some = fc.array(step, { minLength: 3, maxLength: 14 });

  test('nothing that can be seen changes, and whatever happens next happens as without it', async () => {
    await fc.assert(
      fc.asyncProperty(some, some, fc.nat({ max: 14 }), async (first, then, kept) => {
        const [collected, untouched] = [await place.another(), await place.another()];
        const [history, twin] = [new RandomHistory(collected), new RandomHistory(untouched)];
        await history.play(first);
        await twin.play(first);
        const { store, graph } = collected;
        // What came after one of the commits is kept; clocks do not tell commits of one millisecond apart.
        const since = (await store.commits({ graph })).at(kept)?.time ?? Number.MAX_SAFE_INTEGER;
        await store.collect(graph, { before: since });
        for (const { commit, state } of history.seen) {
          const { time, collected: gone } = await store.commit(graph, commit);
          if (gone === true) {
            expect(time).toBeLessThan(since);
            await expect(collected.look({ commit })).rejects.toMatchObject({ code: 'COMMIT_COLLECTED' });
          } else {
            expect(await collected.look({ commit })).toEqual(state);
            expect(await faults(collected, { commit })).toEqual([]);
          }
        }
        for (const [branch, state] of history.heads) expect(await collected.look({ branch })).toEqual(state);
        await history.play(then);
        await twin.play(then);
        expect(history.heads).toEqual(twin.heads);
        // A second time, when more has been merged and dropped.
        await store.collect(graph, { before: Number.MAX_SAFE_INTEGER });
        for (const [branch, state] of history.heads) {
          expect(await collected.look({ branch })).toEqual(state);
          expect(await faults(collected, { branch })).toEqual([]);
          for (const [other] of history.heads) await sameMerge(collected, untouched, branch, other);
        }
        expect(await store.check()).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});

/** Whether a merge of the two would do the same in both repositories. */
async function sameMerge(a: Repository, b: Repository, source: string, target: string): Promise<void> {
  const preview = async (on: Repository) => {
    try {
      const { outcome, conflicts, changes } = await on.merge(source, target, { dryRun: true });
      const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).sort();
      const { nodes, edges } = await diffToJson(changes);
      return { outcome, conflicts: sorted(conflicts), changes: sorted([...nodes, ...edges]) };
    } catch (error) {
      return error instanceof TrellisError ? error.code : error;
    }
  };
  expect(await preview(a)).toEqual(await preview(b));
}
