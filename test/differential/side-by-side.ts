import { expect } from 'vitest';
import { randomFrom } from '../../bench/lib/random.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Store } from '../../src/store/store-contract.js';
import type { StoreOptions } from '../../src/store/store-options.js';
import { graphDigest } from '../../src/transfer/graph-digest.js';
import { LogMaker } from './log.js';
import { look } from './look.js';
import { perform } from './perform.js';

/** Opens an empty store with the clock and the ids of the comparison. */
export type OpenStore = (options: StoreOptions) => Promise<Store>;

export interface Comparison {
  readonly seed: number;
  readonly operations: number;
  /** Steps between two looks at both stores. */
  readonly lookEvery?: number;
  readonly together?: number;
}

export interface Compared {
  readonly digest: string;
  readonly commits: number;
  readonly looks: number;
}

/** Replays one log on two stores: every answer, every look and the whole history must be the same. */
export async function compare(
  openings: readonly [OpenStore, OpenStore],
  { seed, operations, lookEvery = 10, together = 12 }: Comparison,
): Promise<Compared> {
  // Set before each step, so that a write which a store has to repeat gets the same time and id.
  let now = Date.UTC(2026, 0, 1);
  const options = { clock: () => now, ids: idOfTime, warn: () => {} };
  const stores = await Promise.all(openings.map((open) => open(options)));
  const both = async <T>(ask: (store: Store) => Promise<T>, what: string): Promise<T> => {
    const [one, other] = await Promise.all(stores.map(ask));
    // Comparing large answers member by member takes long, and is only needed to show how they differ.
    if (JSON.stringify(other) !== JSON.stringify(one)) expect(other, `seed ${seed}, ${what}`).toEqual(one);
    if (one === undefined) throw new Error('There are no stores.');
    return one;
  };
  const random = randomFrom(seed);
  const log = new LogMaker(random, { operations, names: 300, branches: 6, together });
  const commits: string[] = [];
  let looks = 0;
  try {
    for (const store of stores) await store.createGraph(defaultGraph);
    let number = 0;
    for (const step of log.steps()) {
      number += 1;
      now += 1_000;
      await both((store) => perform(store, step), `step ${number}: ${JSON.stringify(step)}`);
      if (step.kind === 'write' && !step.fails) commits.push(idOfTime(now));
      if (number % lookEvery !== 0) continue;
      looks += 1;
      const target = await targetOf(random, log, stores, commits);
      const questions = {
        names: Array.from({ length: 8 }, () => log.name()),
        needles: [log.word(), log.text(), log.word().slice(0, 2)],
        words: `${log.text()} ${log.text()}`,
        limit: 1 + random.below(20),
      };
      await both(
        (store) => look(store, { graph: defaultGraph, ...target }, questions),
        `step ${number}, at ${JSON.stringify(target)}: ${JSON.stringify(questions)}`,
      );
    }
    const digest = await both((store) => graphDigest(store, defaultGraph), 'the digest');
    const made = await both((store) => idsOf(store), 'the commits');
    return { digest, commits: made.length, looks };
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}

/** The head of a branch, or an earlier commit. */
async function targetOf(
  random: ReturnType<typeof randomFrom>,
  log: LogMaker,
  stores: readonly Store[],
  commits: readonly string[],
): Promise<{ branch?: string; commit?: string }> {
  const branch = random.pick(log.branches);
  if (commits.length === 0 || random.next() < 0.6) return { branch };
  const commit = random.pick(commits);
  // A write that changed nothing made none.
  const known = await stores[0]?.read({ graph: defaultGraph, commit }, async () => true).catch(() => false);
  return known === true ? { commit } : { branch };
}

async function idsOf(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for (let seq = 0; ; ) {
    const page = await store.commitsSince(defaultGraph, seq, 1_000);
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) return ids;
    seq = last.seq;
  }
}

function idOfTime(time: number): string {
  return time.toString(32).toUpperCase().padStart(26, '0');
}
