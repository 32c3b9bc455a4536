import { createHash, type Hash } from 'node:crypto';
import { TrellisError } from '../model/error.js';
import type { Store } from '../store/store-contract.js';
import { commitsUntil, type HistoryEnd } from './history-end.js';
import { SeqTable } from './seq-table.js';

/** How far the target is. */
export interface CopyProgress {
  /** How many commits of each branch it has. */
  readonly done: ReadonlyMap<string, number>;
  /** The target's seq of each of them, by the source's. */
  readonly seqs: SeqTable;
  /** How many commits the source has up to its end. */
  readonly commits: number;
}

interface CommitChain {
  /** The target's seqs of the branch's commits, oldest first. */
  readonly seqs: number[];
  readonly ids: Hash;
}

/** Works out how much of the source the target has already; refuses a target that has anything else. */
export async function findCopyProgress(
  source: Store,
  target: Store,
  graph: string,
  end: HistoryEnd,
): Promise<CopyProgress> {
  const chains = await chainsOf(target, graph);
  const strangers = new Set(chains.keys());
  const seen = new Map<string, { count: number; readonly ids: Hash }>();
  const seqs = new SeqTable();
  let commits = 0;
  for await (const page of commitsUntil(source, graph, end)) {
    for (const { id, seq, branch } of page) {
      commits += 1;
      const chain = chains.get(branch);
      const own = seen.get(branch) ?? { count: 0, ids: createHash('sha256') };
      seen.set(branch, own);
      const there = chain?.seqs[own.count];
      if (chain === undefined || there === undefined) continue;
      own.count += 1;
      own.ids.update(id);
      seqs.add(seq, there);
      if (own.count < chain.seqs.length) continue;
      if (own.ids.digest('hex') === chain.ids.digest('hex')) strangers.delete(branch);
    }
  }
  const [stranger] = strangers;
  if (stranger !== undefined) throw notACopyError(source, target, graph, stranger);
  return { done: new Map([...seen].map(([branch, { count }]) => [branch, count])), seqs, commits };
}

async function chainsOf(store: Store, graph: string): Promise<Map<string, CommitChain>> {
  const chains = new Map<string, CommitChain>();
  for await (const page of commitsUntil(store, graph, await store.branches(graph))) {
    for (const { id, seq, branch } of page) {
      const chain = chains.get(branch) ?? { seqs: [], ids: createHash('sha256') };
      chains.set(branch, chain);
      chain.seqs.push(seq);
      chain.ids.update(id);
    }
  }
  return chains;
}

/** The target has a graph of this name that was not, or not only, copied from the source. */
export function notACopyError(source: Store, target: Store, graph: string, branch?: string): TrellisError {
  const where = branch === undefined ? '' : ` (branch ${branch})`;
  return new TrellisError(
    'GRAPH_EXISTS',
    `The graph ${graph} in ${target.location}${where} is there already and is no copy of the one in ${source.location}.`,
    { hint: 'Copy into another store, or into one that has no graph of this name.', details: { graph } },
  );
}
