import { Deadline } from '../../../../bounds/deadline.js';
import { Semaphore } from '../../../../bounds/semaphore.js';
import type { MaintainPairsRequest, NodePairsRequest } from '../../../read-requests.js';
import type { MaintainPairsProgress, NearNodePairs } from '../../../read-results.js';
import type { VectorSpace } from '../../../vector-store.js';
import { countVisible } from '../../counts.js';
import type { ReadContext } from '../../dialect.js';
import type { Executor } from '../../executor.js';
import { eachVector, sumVectors } from '../node-vectors.js';
import { findSpace } from '../vector-spaces.js';
import { leastKept } from './best-pairs.js';
import { type CurrentState, changedNodes, currentState, maxNodes, nodesAfter } from './changed-nodes.js';
import { findNearPairs } from './find-near-pairs.js';
import { type ComparedPlace, HeldPairs } from './held-pairs.js';
import { meanCosineOf, NodeMatrix } from './node-matrix.js';
import { NodePairThreads } from './node-pair-threads.js';
import { pairsFrom, type WantedPairs } from './node-pairs.js';
import { readStoredPairs, type StoredPairs, savedVersion } from './saved/read-node-pairs.js';
import type { SavedSearch } from './saved/saved-pairs.js';

/** Fewer nodes are compared at once, without a thread. */
const maxNodesOnThread = 300;
/** Pairs of fewer nodes are found so quickly that they are not saved. */
const minSavedNodes = 2_000;
/** So many changed nodes are left to the next search. */
const toleratedChanges = 200;
/** So many nodes are read, or so long are they compared, before what is known is saved. */
const maxUnsavedNodes = 20_000;
const maxUnsavedMs = 10_000;
/** So long it compares in each step, however slow the database was before. */
const minStepMs = 20;
/** Bytes of all vectors in the threads; of those that nobody is using, the least recently used are dropped. */
const usualMaxBytes = 1_073_741_824;
/** So many places a read takes in at a time: the database reads of one while vectors of the other are passed on. */
const readAtOnce = 2;
/** Threads that nobody asked for in this time end, and their memory is free. */
const idleMs = 300_000;
/** Pairs kept of a space; most requests want fewer. */
const maxPairs = 10_000;

const nothing: NearNodePairs = {
  ...{ pairs: [], compared: 0, nodes: 0, meanCosine: 0 },
  ...{ comparedAll: true, outOfTime: false, leastKnown: undefined },
};

/** Where a comparison can go on, and the nodes that have changed since. */
type Basis =
  | { readonly kind: 'held'; readonly held: HeldPairs; readonly changed: readonly number[] }
  | { readonly kind: 'stored'; readonly stored: StoredPairs; readonly changed: readonly number[] }
  | { readonly kind: 'none' };

/**
 * The vectors of nodes, the sums of those of their observations, in threads that compare them. What commits touched and
 * what was embedded since is read before they are compared. A new process goes on from what was saved. It only proposes
 * pairs: the reader checks them.
 */
export class NodePairIndex {
  /** Least recently used first. */
  readonly #held = new Map<string, HeldPairs>();
  readonly #maxBytes: number;
  /** The last work on each, since two reads must not update it at once. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #threads = new NodePairThreads();
  /** Of each read: some of its places wait, so that they are read while others are compared. */
  readonly #reading = new WeakMap<Executor, Semaphore>();
  #timer: NodeJS.Timeout | undefined;

  /** @param maxBytes For tests. */
  constructor(maxBytes = usualMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  async nearPairs(reads: ReadContext, space: VectorSpace, request: NodePairsRequest): Promise<NearNodePairs> {
    const place = await placeOf(reads, space);
    if (place === undefined) return nothing;
    if (place.nodes <= maxNodesOnThread) return comparedHere(reads, place, request);
    return this.#inTurn(place.key, () => this.#compare(reads, place, request));
  }

  /** A step towards pairs that are saved; whoever reads them meanwhile has its turn in between. */
  async maintain(
    reads: ReadContext,
    space: VectorSpace,
    request: MaintainPairsRequest,
  ): Promise<MaintainPairsProgress> {
    const place = await placeOf(reads, space);
    if (place === undefined || !isSaved(reads, place)) return { isDone: true };
    return this.#inTurn(place.key, () => this.#maintainPlace(reads, place, request));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#held.clear();
    await this.#threads.end();
  }

  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key);
    const turn = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
      this.#dropUnused();
      if (!this.#held.has(key) && !this.#turns.has(key)) this.#threads.forget(key);
    }
  }

  async #compare(
    reads: ReadContext,
    place: ComparedPlace,
    { minScore, deadline = new Deadline(Number.MAX_SAFE_INTEGER) }: NodePairsRequest,
  ): Promise<NearNodePairs> {
    const now = await currentState(reads, place.space);
    const basis = await this.#basis(reads, place, now, reads.lineage.levels.length);
    const known = basis.kind === 'stored' ? await knownPairs(reads, basis, minScore) : undefined;
    if (known !== undefined) return resultOf(known.found, known.compared, place.nodes, false);
    const { held, changed } = await this.#open(reads, place, now, basis);
    const isComplete = await this.#readingOf(reads).run(() => held.update(reads, now, changed, deadline));
    const { found, compared } = await held.find(reads, { minScore, most: maxPairs }, deadline, true);
    this.#startTimer();
    return resultOf(found ?? noPairs, compared, place.nodes, !isComplete);
  }

  async #maintainPlace(
    reads: ReadContext,
    place: ComparedPlace,
    { minScore, deadline }: MaintainPairsRequest,
  ): Promise<MaintainPairsProgress> {
    const now = await currentState(reads, place.space);
    // Another process has saved something else, or what was to be saved last was not.
    if (this.#held.get(place.key)?.version !== (await savedVersion(reads, place))) this.#drop(place.key);
    // What is saved has to hold all chunks, so it does not go on from what another branch has saved.
    const basis = await this.#basis(reads, place, now, 1);
    if (await isMaintained(reads, place, now, basis, minScore)) return { isDone: true };
    if (deadline === undefined) return { isDone: false };
    const { held, changed } = await this.#open(reads, place, now, basis);
    const isRead = await held.update(reads, now, changed, deadline);
    const limits = { minScore, most: maxPairs };
    const comparing = new Deadline(Math.max(minStepMs, deadline.remainingMs));
    const isDone = isRead && (await held.find(reads, limits, comparing, false)).isDone;
    this.#startTimer();
    const isOverdue = performance.now() - (held.saved?.time ?? 0) > maxUnsavedMs;
    if (!isDone && held.unsavedNodes < maxUnsavedNodes && !(isRead && isOverdue)) return { isDone };
    const patch = await held.patch(now, isDone);
    // What is saved serves the next search, and needs less memory.
    if (isDone) this.#drop(place.key);
    return { isDone, patch };
  }

  #drop(key: string): void {
    this.#held.get(key)?.drop();
    this.#held.delete(key);
    if (!this.#turns.has(key)) this.#threads.forget(key);
  }

  /** Only what nobody is using, or waiting for. */
  #dropUnused(): void {
    let bytes = 0;
    for (const each of this.#held.values()) bytes += each.bytes;
    const newest = [...this.#held.keys()].at(-1);
    for (const [key, each] of this.#held) {
      if (bytes <= this.#maxBytes || key === newest) return;
      if (this.#turns.has(key)) continue;
      bytes -= each.bytes;
      this.#drop(key);
    }
  }

  /** @param levels How many branches of the lineage may have saved it. */
  async #basis(reads: ReadContext, place: ComparedPlace, now: CurrentState, levels: number): Promise<Basis> {
    const held = this.#held.get(place.key);
    if (held?.hasFailed) this.#held.delete(place.key);
    else if (held !== undefined && held.purges === now.purges) {
      const changed = await changedNodes(reads, place.space, held.state, now);
      return changed === undefined ? { kind: 'none' } : { kind: 'held', held, changed };
    }
    if (!isSaved(reads, place)) return { kind: 'none' };
    for (let level = 0; level < levels; level++) {
      const stored = await readStoredPairs(reads, place, level, place.dimension, now.purges);
      const changed = stored && (await changedNodes(reads, place.space, stored, now));
      if (stored !== undefined && changed !== undefined) return { kind: 'stored', stored, changed };
    }
    return { kind: 'none' };
  }

  /** In the thread, as they were. */
  async #open(
    reads: ReadContext,
    place: ComparedPlace,
    now: CurrentState,
    basis: Basis,
  ): Promise<{ readonly held: HeldPairs; readonly changed: readonly number[] }> {
    this.#startTimer();
    if (basis.kind === 'held') {
      this.#setNewest(place.key, basis.held);
      return basis;
    }
    // If reading fails, what the thread has by then must not be taken for what it had.
    this.#drop(place.key);
    const version = isSaved(reads, place) ? await savedVersion(reads, place) : null;
    const thread = await this.#threads.threadOf(place.key);
    const loaded =
      basis.kind === 'stored'
        ? await HeldPairs.load(thread, place, reads, basis.stored, version, now.purges)
        : undefined;
    const held = loaded ?? (await HeldPairs.start(thread, place, reads, now, version));
    this.#setNewest(place.key, held);
    return { held, changed: loaded !== undefined && basis.kind === 'stored' ? basis.changed : [] };
  }

  #readingOf({ executor }: ReadContext): Semaphore {
    const reading = this.#reading.get(executor) ?? new Semaphore(readAtOnce);
    this.#reading.set(executor, reading);
    return reading;
  }

  #setNewest(key: string, held: HeldPairs): void {
    this.#held.delete(key);
    this.#held.set(key, held);
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const end = () => (this.#turns.size > 0 ? this.#startTimer() : void this.close());
    this.#timer = setTimeout(end, idleMs).unref();
  }
}

const noPairs: WantedPairs = {
  ...{ a: [], b: [], scores: [], meanCosine: 0 },
  ...{ comparedAll: false, outOfTime: true, cut: false, least: undefined },
};

/** Undefined if the space does not exist. */
async function placeOf(reads: ReadContext, space: VectorSpace): Promise<ComparedPlace | undefined> {
  const id = await findSpace(reads.executor, space);
  if (id === undefined) return undefined;
  const { graph, levels, isNodeVisible } = reads.lineage;
  const view = isNodeVisible === undefined ? 0 : 1;
  const branches = levels.map(({ branch, seq, atHead }) => [branch, atHead ? 'head' : seq]);
  return {
    key: JSON.stringify([graph, branches, view, id]),
    ...{ branch: levels[0].branch, space: id, view, dimension: space.dimension },
    nodes: await countVisible(reads, 'node_row'),
  };
}

/** Old states are not worth it. */
function isSaved({ lineage }: ReadContext, { nodes }: ComparedPlace): boolean {
  return lineage.levels[0].atHead && nodes > minSavedNodes;
}

/** Whether what is saved serves searches until more has changed. */
async function isMaintained(
  reads: ReadContext,
  { space }: ComparedPlace,
  now: CurrentState,
  basis: Basis,
  minScore: number,
): Promise<boolean> {
  if (basis.kind === 'stored')
    return basis.changed.length <= toleratedChanges && completePairs(basis.stored, minScore) !== undefined;
  const saved = basis.kind === 'held' ? basis.held.saved : undefined;
  if (saved === undefined || !saved.isComplete) return false;
  const changed = await changedNodes(reads, space, saved, now);
  return changed !== undefined && changed.length <= toleratedChanges;
}

/** All pairs as they were when they were saved, if all were found. */
function completePairs(
  { pairs: { changed, search } }: StoredPairs,
  minScore: number,
): SavedSearch | undefined {
  if (changed.length > 0 || search === undefined || search.next !== undefined) return undefined;
  const { limits, pairs } = search;
  const isUsable = (limits.minScore <= minScore || pairs.cut) && limits.most === maxPairs;
  return isUsable ? search : undefined;
}

/** The saved pairs, if nothing has changed. */
async function knownPairs(
  reads: ReadContext,
  { stored, changed }: Extract<Basis, { readonly kind: 'stored' }>,
  minScore: number,
): Promise<{ readonly found: WantedPairs; readonly compared: number } | undefined> {
  const found = changed.length === 0 ? completePairs(stored, minScore) : undefined;
  if (found === undefined || (await nodesAfter(reads, stored.upto, 1)).length > 0) return undefined;
  const { sum, size } = stored.pairs;
  const pairs = pairsFrom(found.pairs, found.least, { minScore, most: maxPairs });
  return { compared: size, found: { ...pairs, meanCosine: meanCosineOf(sum, size) } };
}

async function comparedHere(
  reads: ReadContext,
  place: ComparedPlace,
  { minScore, deadline }: NodePairsRequest,
): Promise<NearNodePairs> {
  const matrix = new NodeMatrix(place.dimension);
  const sums = await sumVectors(reads, place, await nodesAfter(reads, 0));
  for (const [node, vector] of eachVector(sums)) matrix.put(node, vector);
  const until = performance.now() + (deadline?.remainingMs ?? Number.MAX_SAFE_INTEGER);
  const limits = { minScore, most: maxPairs };
  const found = findNearPairs(matrix, { ...limits, until });
  const least = found.cut ? leastKept(found.scores, maxPairs) : Number.NEGATIVE_INFINITY;
  return resultOf(pairsFrom(found, least, limits), matrix.size, place.nodes, false);
}

function resultOf(found: WantedPairs, compared: number, nodes: number, isPartial: boolean): NearNodePairs {
  const { a, b, scores, comparedAll, outOfTime, least, meanCosine } = found;
  return {
    pairs: scores.map((score, index) => ({ a: a[index] ?? 0, b: b[index] ?? 0, score })),
    ...{ compared, nodes: Math.min(nodes, maxNodes), meanCosine, leastKnown: least },
    comparedAll: comparedAll && !isPartial && nodes <= maxNodes,
    outOfTime: outOfTime || isPartial,
  };
}
