import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshSeed } from '../../bench/lib/random.js';
import { applyWrites } from '../../src/engine/history/apply-diff.js';
import { diffRefs } from '../../src/engine/history/diff-states.js';
import { ConflictResolver } from '../../src/engine/history/merge/conflict-resolver.js';
import { threeWayMerge } from '../../src/engine/history/merge/three-way-merge.js';
import { planWrites } from '../../src/engine/history/plan-writes.js';
import type { Reader } from '../../src/store/reader.js';
import { times } from '../helpers/full.js';
import { databaseKinds } from '../helpers/stores.js';
import { change, faults, RandomHistory, step } from './random-history.js';
import { Repository } from './repository.js';

// A run is repeated with the seed that its failure names: TRELLIS_TEST_SEED=… npx vitest run test/history
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
/** Set by `npm run histories -- --runs N`. */
const histories = Number(process.env['TRELLIS_TEST_HISTORIES'] ?? times(150, 1_000));

const places = [
  { name: 'SQLite in memory', open: () => Repository.inMemory(), runs: histories },
  ...databaseKinds.map((kind) => ({
    ...{ name: kind.kind, open: () => Repository.on(kind), runs: Math.ceil(histories / 50) },
  })),
];

describe.each(places)(`random histories, seed ${seed}: $name`, ({ open, runs }) => {
  let place: Repository;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.dispose());

  const steps = fc.array(step, { minLength: 4, maxLength: 20 });
  const timeout = 60_000 + 200 * runs;
  const holds = (share: number) => ({ seed, numRuns: Math.ceil(runs * share) });

  test(
    'every commit reads the same for ever, every branch shows only its own writes and merges, and every state is sound',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (played) => {
          const history = new RandomHistory(await place.another());
          await history.play(played);
          const { on } = history;
          for (const [branch, state] of history.heads) {
            expect(await on.look({ branch })).toEqual(state);
            expect(await faults(on, { branch })).toEqual([]);
          }
          for (const { commit, state } of history.seen) {
            expect(await on.look({ commit })).toEqual(state);
            expect(await faults(on, { commit })).toEqual([]);
          }
        }),
        holds(0.5),
      );
    },
    timeout,
  );

  test(
    'the diff from one state to another, applied to the first, is the second',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.nat(), fc.nat(), async (played, from, to) => {
          const history = new RandomHistory(await place.another());
          await history.play(played);
          const { on, branches, seen } = history;
          const a = branches[from % branches.length] ?? 'main';
          const b = seen[to % Math.max(1, seen.length)];
          if (b === undefined) return;
          const changes = await diffRefs(on.store, { graph: on.graph, from: a, to: b.commit });
          await on.fork('applied', a);
          await on.write('applied', async ({ rows }) => applyWrites(rows, await planWrites(changes, rows)));
          expect(await on.look({ branch: 'applied' })).toEqual(b.state);
          expect(await diffRefs(on.store, { graph: on.graph, from: 'applied', to: b.commit })).toEqual({
            nodes: [],
            edges: [],
          });
          expect(await diffRefs(on.store, { graph: on.graph, from: b.commit, to: b.commit })).toEqual({
            nodes: [],
            edges: [],
          });
        }),
        holds(0.3),
      );
    },
    timeout,
  );

  test(
    'a plan that reads the base only where the target has changed is the plan that reads it everywhere',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.nat(), fc.nat(), async (played, from, to) => {
          const history = new RandomHistory(await place.another());
          await history.play(played);
          const { on, branches } = history;
          const [source, target] = [from, to].map((at) => branches[at % branches.length] ?? 'main');
          const commit = await on.head(source);
          if (commit === '') return;
          await on.store.read({ graph: on.graph, branch: target ?? 'main' }, async (reader) => {
            const { base, relation, touched } = await reader.unseen(commit);
            if (base === null || relation === 'contained') return;
            const plan = async (side: Reader, options: { changedHere?: ReadonlySet<number> }) => {
              const resolver = new ConflictResolver();
              const states = { base: side, ours: reader, theirs: await reader.at(commit) };
              const { changes, kept } = await threeWayMerge(states, touched, resolver, options);
              return { changes, kept, conflicts: resolver.unresolved };
            };
            const there = await reader.at(base);
            const everywhere = await plan(there, {});
            const changedHere = await reader.nodesTouchedSince(base, touched.nodes);
            expect(await plan(there, { changedHere })).toEqual(everywhere);
            if (relation === 'ahead') expect(await plan(reader, {})).toEqual(everywhere);
          });
        }),
        holds(0.4),
      );
    },
    timeout,
  );

  test(
    'merging changes of different things commutes, and merging a branch with itself changes nothing',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 8 }),
          fc.array(change, { maxLength: 5 }),
          fc.array(change, { maxLength: 5 }),
          async (played, left, right) => {
            const history = new RandomHistory(await place.another());
            await history.play(played);
            const { on } = history;
            for (const branch of ['left', 'right', 'first', 'second']) await on.fork(branch);
            const among =
              (...names: string[]) =>
              (next: (typeof left)[number]) =>
                names.includes(next.name) && (!('to' in next) || names.includes(next.to));
            for (const next of left.filter(among('a', 'b'))) await history.change(next, 'left');
            for (const next of right.filter(among('c', 'd'))) await history.change(next, 'right');
            // A node that goes takes edges to the others along, so only such pairs are about different things.
            const crossing = (await on.look()).edges.some(({ edge }) =>
              /^[ab] to [cd]|^[cd] to [ab]/.test(edge),
            );
            fc.pre(!crossing);
            await on.merge('left', 'first');
            await on.merge('right', 'first');
            await on.merge('right', 'second');
            await on.merge('left', 'second');
            expect(await on.look({ branch: 'first' })).toEqual(await on.look({ branch: 'second' }));
            expect((await on.merge('first', 'first')).outcome).toBe('already_up_to_date');
            expect((await on.merge('left', 'first')).outcome).toBe('already_up_to_date');
          },
        ),
        holds(0.2),
      );
    },
    timeout,
  );
});
