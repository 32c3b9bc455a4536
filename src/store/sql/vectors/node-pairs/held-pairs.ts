import { randomInt } from 'node:crypto';
import { chunksOf } from '../../../../bounds/chunks.js';
import type { Deadline } from '../../../../bounds/deadline.js';
import { TimeSlice } from '../../../../bounds/time-slice.js';
import type { NodePairsPatch, NodePairsPlace } from '../../../vector-store.js';
import type { ReadContext } from '../../dialect.js';
import { sumVectors } from '../node-vectors.js';
import { type CurrentState, lowestNode, nodesAfter, pageSize } from './changed-nodes.js';
import type { AnswerTo } from './node-pair-messages.js';
import type { NodePairThread } from './node-pair-thread.js';
import { type ComparedState, readChunks, type StoredPairs } from './saved/read-node-pairs.js';
import type { PairLimits } from './saved/saved-pairs.js';

/** What is compared: the nodes of a branch, as a read sees them, in a space. */
export interface ComparedPlace extends NodePairsPlace {
  readonly key: string;
  readonly dimension: number;
  /** How many nodes there are. */
  readonly nodes: number;
}

/** What was saved of it last. */
interface LastSave extends ComparedState {
  /** Whether all pairs were found. */
  readonly isComplete: boolean;
  /** By the clock of `performance.now()`. */
  readonly time: number;
}

/** So long the thread compares at a time; then it takes in what was read of others meanwhile. */
const stepMs = 100;
const versions = 2 ** 47;
/** The version of what was made from the pairs of another branch: what is saved is never that. */
const unsaved = -1;

/** The pairs of a place in the thread, and what they were brought up to. */
export class HeldPairs {
  readonly #thread: NodePairThread;
  readonly #place: ComparedPlace;
  /** The purges of the graph when it was first read: the vectors of then may say what was purged later. */
  readonly purges: number;
  #state: ComparedState;
  /** Nodes up to this one are read; later ones were not, if time ran out. */
  #upto: number;
  /** The version that is saved, null if none is; what it was changed to is saved next. */
  #version: number | null;
  /** Undefined if nothing of it is saved. */
  #saved: LastSave | undefined;
  #unsavedNodes = 0;
  #bytes = 0;

  private constructor(
    thread: NodePairThread,
    place: ComparedPlace,
    { level, seq, vector }: ComparedState,
    upto: number,
    version: number | null,
    purges: number,
  ) {
    this.purges = purges;
    this.#thread = thread;
    this.#place = place;
    this.#state = { level, seq, vector };
    this.#upto = upto;
    this.#version = version;
  }

  /** Without any nodes. */
  static async start(
    thread: NodePairThread,
    place: ComparedPlace,
    reads: ReadContext,
    now: CurrentState,
    version: number | null,
  ): Promise<HeldPairs> {
    const upto = await lowestNode(reads, place.nodes);
    thread.tell({ kind: 'start', key: place.key, dimension: place.dimension });
    return new HeldPairs(thread, place, now, upto, version, now.purges);
  }

  /** As they were saved, for this branch or one that it inherits from; undefined if that is damaged. */
  static async load(
    thread: NodePairThread,
    place: ComparedPlace,
    reads: ReadContext,
    { body, pairs, upto, place: savedPlace, ...state }: StoredPairs,
    version: number | null,
    purges: number,
  ): Promise<HeldPairs | undefined> {
    const { key } = place;
    thread.tell({ kind: 'drop', key });
    const held = new HeldPairs(thread, place, state, upto, state.level === 0 ? version : unsaved, purges);
    for await (const chunks of readChunks(reads, savedPlace)) {
      thread.tell({ kind: 'chunks', key, chunks });
      for (const { bits } of chunks) held.#bytes += bits.byteLength;
    }
    if (!(await thread.load(key, body))) return undefined;
    held.#saved = { ...state, isComplete: isComplete(pairs), time: performance.now() };
    return held;
  }

  get state(): ComparedState {
    return this.#state;
  }

  get version(): number | null {
    return this.#version;
  }

  get saved(): LastSave | undefined {
    return this.#saved;
  }

  /** Nodes that were put since it was last saved. */
  get unsavedNodes(): number {
    return this.#unsavedNodes;
  }

  /** Whether its thread has ended. */
  get hasFailed(): boolean {
    return this.#thread.hasFailed;
  }

  /** After this, nothing else may be called. */
  drop(): void {
    this.#thread.tell({ kind: 'drop', key: this.#place.key });
  }

  /** In the thread. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reads what has changed, then nodes that were not read yet; returns whether there was time for all. */
  async update(
    reads: ReadContext,
    now: ComparedState,
    changed: readonly number[],
    deadline: Deadline,
  ): Promise<boolean> {
    const { key, dimension } = this.#place;
    const turns = new TimeSlice();
    const known = changed.filter((node) => node <= this.#upto);
    for (const some of chunksOf(known, pageSize)) {
      await this.#recall(reads, some);
      this.#thread.tell({ kind: 'remove', key, nodes: some });
      await this.#send('put', reads, some);
      this.#unsavedNodes += some.length;
      if (turns.isOver) await turns.yieldToOthers();
    }
    this.#state = { level: 0, seq: now.seq, vector: now.vector };
    // Some are read in any case, so that the next time is not for nothing too.
    for (let page = 0; ; page++) {
      const some = await nodesAfter(reads, this.#upto);
      if (some.length === 0) return true;
      if (page > 0 && deadline.passed) return false;
      const { size } = await this.#send('put', reads, some);
      this.#bytes += size * dimension;
      this.#upto = some.at(-1) ?? this.#upto;
      this.#unsavedNodes += some.length;
      if (turns.isOver) await turns.yieldToOthers();
    }
  }

  /** Goes on until all is compared, or the time is over. */
  async find(
    reads: ReadContext,
    limits: PairLimits,
    deadline: Deadline,
    wantsPairs: boolean,
  ): Promise<AnswerTo<'find'>> {
    const { key, dimension } = this.#place;
    for (;;) {
      const timeMs = Math.min(stepMs, deadline.remainingMs);
      const answer = await this.#thread.find({ key, limits, timeMs, wantsPairs: false });
      if (answer.missing.length === 0) {
        if (!answer.isDone && !deadline.passed) continue;
        return wantsPairs ? this.#thread.find({ key, limits, timeMs: 0, wantsPairs }) : answer;
      }
      for (const some of chunksOf(answer.missing, pageSize)) {
        const sent = await this.#send('fill', reads, some);
        this.#bytes += sent.size * dimension;
        const gone = some.filter((node) => !sent.has(node));
        if (gone.length > 0) this.#thread.tell({ kind: 'remove', key, nodes: gone });
        if (deadline.passed) break;
      }
    }
  }

  /** What has to be saved now; the caller saves it. */
  async patch({ purges }: CurrentState, isComplete: boolean): Promise<NodePairsPatch> {
    const { branch, space, view, key } = this.#place;
    const { body, chunks } = await this.#thread.save(key);
    const [base, replacesAll] = [this.#version, this.#saved === undefined];
    const version = randomInt(1, versions);
    this.#version = version;
    this.#saved = { ...this.#state, isComplete, time: performance.now() };
    this.#unsavedNodes = 0;
    return {
      ...{ branch, space, view, base, version, replacesAll, purges, body, chunks },
      ...{ seq: this.#state.seq, vector: this.#state.vector, upto: this.#upto },
    };
  }

  /** Tells the thread the vectors that these nodes had, so that it knows what they added to the sum. */
  async #recall(reads: ReadContext, nodes: readonly number[]): Promise<void> {
    if (this.#saved === undefined) return;
    const { level, seq, vector } = this.#state;
    const [{ branch } = reads.lineage.levels[0], ...inherited] = reads.lineage.levels.slice(level);
    const lineage = { ...reads.lineage, levels: [{ branch, seq, atHead: false }, ...inherited] as const };
    const { executor, dialect } = reads;
    await this.#send('recall', { executor, dialect, lineage }, nodes, vector);
  }

  /** Returns the nodes that have a vector. */
  async #send(
    kind: 'put' | 'fill' | 'recall',
    reads: ReadContext,
    nodes: readonly number[],
    newest?: number,
  ): Promise<ReadonlySet<number>> {
    const sums = await sumVectors(reads, this.#place, nodes, newest);
    this.#thread.tell({ kind, key: this.#place.key, ...sums });
    return new Set(sums.nodes);
  }
}

function isComplete({ changed, search }: StoredPairs['pairs']): boolean {
  return changed.length === 0 && search !== undefined && search.next === undefined;
}
