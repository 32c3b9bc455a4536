import { createHash, type Hash } from 'node:crypto';
import { chunksOf } from '../bounds/chunks.js';
import type { Commit } from '../model/commit.js';
import { TrellisError } from '../model/error.js';
import type { Branch } from '../model/graph-record.js';
import { compareText } from '../model/order.js';
import type { Store } from '../store/store-contract.js';
import { commitDigest, hashParts } from './commit-digest.js';
import { commitsUntil, type HistoryEnd } from './history-end.js';
import { SeqTable } from './seq-table.js';

/** Commits read at once, because a database over the network is slow to answer. */
const readAhead = 4;
/** The number of a branch and a position on it, in one number. */
const positionsPerBranch = 2 ** 32;

interface BranchChain {
  readonly number: number;
  readonly hash: Hash;
  length: number;
}

interface DigestOptions {
  /** Later commits and branches are left out. */
  readonly until?: HistoryEnd | undefined;
  readonly onCommit?: () => void;
}

/**
 * SHA-256 in hex of a graph with its history and branches. Equal in every store with the same history, because it depends
 * on names and commit ids, not on numbers that a store assigns.
 */
export async function graphDigest(
  store: Store,
  graph: string,
  { until, onCommit }: DigestOptions = {},
): Promise<string> {
  if (!store.capabilities.branches) {
    throw new TrellisError('CAPABILITY_MISSING', `${store.location} keeps no history, so it has no digest.`);
  }
  const end = until ?? (await store.branches(graph));
  const positions = new CommitPositions(end);
  for await (const page of commitsUntil(store, graph, end)) {
    for (const chunk of chunksOf(page, readAhead)) {
      for (const commit of chunk) positions.add(commit);
      const digests = await Promise.all(
        chunk.map((commit) =>
          commitDigest(store, graph, commit, ({ seq, position }) => [...positions.describe(seq), position]),
        ),
      );
      for (const [index, commit] of chunk.entries()) {
        positions.chainOf(commit.branch).hash.update(digests[index] ?? '');
        onCommit?.();
      }
    }
  }
  return hashParts(['Trellis graph with history, 1', ...positions.describeBranches()]);
}

/** The branch of each commit, and its position on it. */
class CommitPositions {
  readonly #branches: readonly Branch[];
  readonly #chains: ReadonlyMap<string, BranchChain>;
  readonly #table = new SeqTable();

  constructor(branches: readonly Branch[]) {
    this.#branches = branches;
    this.#chains = new Map(
      branches.map(({ name }, number) => [name, { number, hash: createHash('sha256'), length: 0 }]),
    );
  }

  chainOf(branch: string): BranchChain {
    const chain = this.#chains.get(branch);
    if (chain === undefined) throw new TrellisError('INTERNAL', `There is no branch ${branch}.`);
    return chain;
  }

  add({ seq, branch }: Commit): void {
    const chain = this.chainOf(branch);
    chain.length += 1;
    this.#table.add(seq, chain.number * positionsPerBranch + chain.length);
  }

  describe(seq: number): readonly unknown[] {
    const position = this.#table.get(seq);
    return [this.#branches[Math.floor(position / positionsPerBranch)]?.name, position % positionsPerBranch];
  }

  /** By name, because the order in which branches were created does not matter. */
  describeBranches(): unknown[] {
    const nameOf = new Map(this.#branches.map(({ id, name }) => [id, name]));
    return [...this.#branches]
      .sort((a, b) => compareText(a.name, b.name))
      .map(({ name, parent, forkSeq }) => {
        const { length, hash } = this.chainOf(name);
        const fork = forkSeq === 0 ? null : this.describe(forkSeq);
        return [name, parent === null ? null : nameOf.get(parent), fork, length, hash.digest('hex')];
      });
  }
}
