import { createHash, type Hash } from 'node:crypto';
import { TrellisError } from '../model/error.js';
import type { Store } from '../store/store-contract.js';
import { commitsUntil, type HistoryEnd } from './history-end.js';
import { SeqTable } from './seq-table.js';

export interface CopyProgress {
  /** Commits that the target already has, by branch. */
  readonly done: ReadonlyMap<string, number>;
  /** The target's seq of each, by the source's. */
  readonly seqs: SeqTable;
  /** Commits of the source. */
  readonly commits: number;
}

interface CommitChain {
  /** Oldest first. */
  readonly seqs: number[];
  readonly ids: Hash;
}

/** How much of the source the target already has; throws if it has anything else. */
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

export function notACopyError(source: Store, target: Store, graph: string, branch?: string): TrellisError {
  const where = branch === undefined ? '' : ` (branch ${branch})`;
  return new TrellisError(
    'GRAPH_EXISTS',
    `The graph ${graph} already exists in ${target.location}${where} and is not a copy of the one in ${source.location}.`,
    { hint: 'Copy into a store without a graph of this name.', details: { graph } },
  );
}
