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

/** Commits that are read at once: a database over the network is mostly waited for. */
const readAhead = 4;
/** A commit is told by its branch and its position on it; both fit into one number. */
const positionsPerBranch = 2 ** 32;

/** What is known of a branch while its commits go by. */
interface BranchChain {
  readonly number: number;
  readonly hash: Hash;
  length: number;
}

interface DigestOptions {
  /** Commits and branches after this are left out; default: none. */
  readonly until?: HistoryEnd;
  readonly onCommit?: () => void;
}

/**
 * SHA-256 of a graph with all its history and branches, in hex: the same in every store that holds the same history,
 * because it is made of names and commit ids, and of no number a store gave out for itself.
 */
export async function graphDigest(
  store: Store,
  graph: string,
  { until, onCommit }: DigestOptions = {},
): Promise<string> {
  if (!store.capabilities.branches) {
    throw new TrellisError('CAPABILITY_MISSING', `${store.location} keeps no history to make a digest of.`);
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

/** Where each commit stands: the how manieth of which branch. */
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

  /** By name: the order in which branches were made, and wrote, side by side says nothing. */
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
