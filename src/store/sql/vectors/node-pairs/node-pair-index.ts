import { chunksOf } from '../../../../bounds/chunks.js';
import { Deadline } from '../../../../bounds/deadline.js';
import { TimeSlice } from '../../../../bounds/time-slice.js';
import type { NodePairsRequest } from '../../../read-requests.js';
import type { NearNodePairs } from '../../../read-results.js';
import type { VectorSpace } from '../../../vector-store.js';
import { countVisible } from '../../counts.js';
import type { ReadContext } from '../../dialect.js';
import { newestSeq, visible } from '../../lineage.js';
import { readNumber, selectNumber } from '../../rows.js';
import { sql } from '../../sql.js';
import { sumVectors } from '../node-vectors.js';
import { findSpace } from '../vector-spaces.js';
import { findNearPairs } from './find-near-pairs.js';
import { NodeMatrix } from './node-matrix.js';
import type { NodePairAnswer } from './node-pair-messages.js';
import { NodePairThread } from './node-pair-thread.js';

/** Fewer nodes are compared at once, without a thread. */
const maxNodesOnThread = 300;
/** In a larger graph, only the newest nodes are compared. */
const maxNodes = 250_000;
/** Nodes whose vectors are in memory at a time. */
const pageSize = 1_000;
/** After more changes, reading all vectors again costs less. */
const maxChanges = 20_000;
/** Bytes of all vectors in the thread; the least recently used are dropped. */
const maxBytes = 1_073_741_824;
/** A thread that nobody asked for in this time ends, and its memory is free. */
const idleMs = 300_000;
/** Pairs kept of a space; most requests want fewer. */
const maxPairs = 10_000;

/** What the thread holds of a branch and a space. */
interface HeldNodes {
  /** The commit, and the newest vector, that it was last brought up to. */
  seq: number;
  vector: number;
  /** Nodes up to this one are read; later ones were not, if time ran out. */
  upto: number;
  bytes: number;
}

const nothing: NearNodePairs = {
  ...{ pairs: [], compared: 0, nodes: 0, meanCosine: 0 },
  ...{ comparedAll: true, outOfTime: false, cut: false },
};

/**
 * The vectors of nodes, the sums of those of their observations, in a thread that compares them. What commits touched and
 * what was embedded since is read before they are compared. It only proposes pairs: the reader checks them.
 */
export class NodePairIndex {
  /** Least recently used first. */
  readonly #held = new Map<string, HeldNodes>();
  /** The last work on each, since two reads must not update it at once. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #thread: Promise<NodePairThread> | undefined;
  #timer: NodeJS.Timeout | undefined;

  async nearPairs(reads: ReadContext, space: VectorSpace, request: NodePairsRequest): Promise<NearNodePairs> {
    const id = await findSpace(reads.executor, space);
    if (id === undefined) return nothing;
    const nodes = await countVisible(reads, 'node_row');
    if (nodes <= maxNodesOnThread) return comparedHere(reads, id, space, request, nodes);
    const { graph, levels, isNodeVisible } = reads.lineage;
    const branches = levels.map(({ branch, seq, atHead }) => [branch, atHead ? 'head' : seq]);
    const key = JSON.stringify([graph, branches, isNodeVisible !== undefined, id]);
    const before = this.#turns.get(key);
    const turn = (async () => {
      await before?.catch(() => {});
      return this.#compare(reads, { id, key, space, nodes }, request);
    })();
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    this.#held.clear();
    await (await thread?.catch(() => undefined))?.end();
  }

  async #compare(
    reads: ReadContext,
    place: HeldPlace,
    { minScore, deadline }: NodePairsRequest,
  ): Promise<NearNodePairs> {
    const thread = await this.#running();
    const isComplete = await this.#update(thread, reads, place, deadline);
    const timeMs = deadline?.remainingMs ?? Number.MAX_SAFE_INTEGER;
    const answer = await thread.find(place.key, { minScore, most: maxPairs }, timeMs);
    return resultOf(answer, place.nodes, !isComplete);
  }

  async #running(): Promise<NodePairThread> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.close(), idleMs).unref();
    const running = await this.#thread?.catch(() => undefined);
    if (running !== undefined && !running.hasFailed) return running;
    this.#held.clear();
    this.#thread = NodePairThread.start();
    return this.#thread;
  }

  /** Returns whether there was time for all. */
  async #update(
    thread: NodePairThread,
    reads: ReadContext,
    { id, key, space, nodes }: HeldPlace,
    deadline: Deadline = new Deadline(Number.MAX_SAFE_INTEGER),
  ): Promise<boolean> {
    const { executor, lineage } = reads;
    const seq = await newestSeq(executor, lineage.graph, lineage.levels[0]);
    const vector = await selectNumber(
      executor,
      sql`select coalesce(max(v.id), 0) as n from text_vector v where v.graph = ${lineage.graph} and v.space = ${id}`,
    );
    let held = this.#held.get(key);
    const changed = held === undefined ? undefined : await changedNodes(reads, id, held, { seq, vector });
    if (held === undefined || changed === undefined) {
      thread.tell({ kind: 'drop', key });
      held = { seq, vector, upto: await lowestNode(reads, nodes), bytes: 0 };
    }
    const { dimension } = space;
    const put = async (some: readonly number[]) => {
      const sums = await sumVectors(reads, id, some);
      const vectors = new Float32Array(sums.size * dimension);
      for (const [index, sum] of [...sums.values()].entries()) vectors.set(sum, index * dimension);
      thread.tell({ kind: 'put', key, dimension, nodes: [...sums.keys()], vectors });
    };
    const turns = new TimeSlice();
    const read = changed?.filter((node) => node <= (held?.upto ?? 0)) ?? [];
    for (const some of chunksOf(read, pageSize)) {
      thread.tell({ kind: 'remove', key, nodes: some });
      await put(some);
      if (turns.isOver) await turns.yieldToOthers();
    }
    Object.assign(held, { seq, vector });
    this.#keep(thread, key, held);
    for (;;) {
      const some = await nodesAfter(reads, held.upto);
      if (some.length === 0) return true;
      if (deadline.passed) return false;
      await put(some);
      held.upto = some.at(-1) ?? held.upto;
      held.bytes += some.length * dimension;
      this.#keep(thread, key, held);
      if (turns.isOver) await turns.yieldToOthers();
    }
  }

  #keep(thread: NodePairThread, key: string, held: HeldNodes): void {
    this.#held.delete(key);
    this.#held.set(key, held);
    let bytes = 0;
    for (const each of this.#held.values()) bytes += each.bytes;
    for (const [oldest, each] of this.#held) {
      if (bytes <= maxBytes || oldest === key) return;
      this.#held.delete(oldest);
      thread.tell({ kind: 'drop', key: oldest });
      bytes -= each.bytes;
    }
  }
}

interface HeldPlace {
  readonly id: number;
  readonly key: string;
  readonly space: VectorSpace;
  /** How many there are. */
  readonly nodes: number;
}

async function comparedHere(
  reads: ReadContext,
  id: number,
  { dimension }: VectorSpace,
  { minScore, deadline }: NodePairsRequest,
  nodes: number,
): Promise<NearNodePairs> {
  const matrix = new NodeMatrix(dimension);
  for (const [node, sum] of await sumVectors(reads, id, await nodesAfter(reads, 0))) matrix.put(node, sum);
  const until = performance.now() + (deadline?.remainingMs ?? Number.MAX_SAFE_INTEGER);
  const found = findNearPairs(matrix, { minScore, most: maxPairs, until });
  return resultOf({ id: 0, compared: matrix.size, found }, nodes, false);
}

function resultOf({ found, compared }: NodePairAnswer, nodes: number, isPartial: boolean): NearNodePairs {
  const { a, b, scores, comparedAll, outOfTime, cut, meanCosine } = found;
  return {
    pairs: scores.map((score, index) => ({ a: a[index] ?? 0, b: b[index] ?? 0, score })),
    ...{ compared, nodes: Math.min(nodes, maxNodes), meanCosine, cut },
    comparedAll: comparedAll && !isPartial && nodes <= maxNodes,
    outOfTime: outOfTime || isPartial,
  };
}

/** The nodes that commits touched, or whose observations were embedded since; undefined if they are too many. */
async function changedNodes(
  { executor, lineage: { graph, levels } }: ReadContext,
  space: number,
  held: HeldNodes,
  now: { readonly seq: number; readonly vector: number },
): Promise<readonly number[] | undefined> {
  const changed = new Set<number>();
  if (held.seq !== now.seq) {
    const collected = await executor.all(
      sql`select 1 as found from commit_log c where c.graph = ${graph} and c.seq > ${held.seq} and c.collected = 1 limit 1`,
    );
    if (collected.length > 0) return undefined;
    const touched = await executor.all(
      sql`select distinct t.ref from touched t where t.graph = ${graph} and t.branch = ${levels[0].branch}
        and t.seq > ${Math.min(held.seq, now.seq)} and t.kind = 'node' limit ${maxChanges + 1}`,
    );
    for (const row of touched) changed.add(readNumber(row, 'ref'));
  }
  if (held.vector !== now.vector) {
    const embedded = await executor.all(
      sql`select distinct r.node from text_vector v cross join observation_row r
        where v.graph = ${graph} and v.space = ${space} and v.id > ${Math.min(held.vector, now.vector)}
        and v.document % 2 = 1 and r.graph = ${graph} and r.row = (v.document - 1) / 2 limit ${maxChanges + 1}`,
    );
    for (const row of embedded) changed.add(readNumber(row, 'node'));
  }
  return changed.size > maxChanges ? undefined : [...changed].sort((a, b) => a - b);
}

/** The node after which the newest begin: ids grow. */
async function lowestNode({ executor, lineage }: ReadContext, nodes: number): Promise<number> {
  if (nodes <= maxNodes) return 0;
  const seen = visible('node_row', 'n', lineage);
  const [row] = await executor.all(
    sql`select n.node from node_row n where (${seen}) and n.stub = 0 order by n.node desc limit 1 offset ${maxNodes}`,
  );
  return row === undefined ? 0 : readNumber(row, 'node');
}

async function nodesAfter({ executor, lineage }: ReadContext, node: number): Promise<number[]> {
  const seen = visible('node_row', 'n', lineage);
  const rows = await executor.all(
    sql`select n.node from node_row n where (${seen}) and n.stub = 0 and n.node > ${node} order by n.node limit ${pageSize}`,
  );
  return rows.map((row) => readNumber(row, 'node'));
}
