import { TimeSlice } from '../../../bounds/time-slice.js';
import type { EdgeListRequest, Executor } from '../../sql/executor.js';
import { readNumber, readText, selectNumber } from '../../sql/rows.js';
import { sql } from '../../sql/sql.js';
import { type Direction, EdgeLists, maxListedNode } from './edge-lists.js';
import { PairBuffer } from './pair-buffer.js';

/** More edges of a type are not kept: SQL follows them. */
const maxEdges = 4_000_000;
const maxBytes = 134_217_728;
/** Of the memory that the system has left; with less, all lists are dropped. */
const maxShareOfMemory = 0.25;
/** Edges read by one statement, for the thread may belong to others, too. */
const pageSize = 10_000;
/** After more changes, reading all edges again costs less. */
const maxChanges = 10_000;
/** Lists that nobody asked for in this time are dropped. */
const idleMs = 60_000;

interface KeptLists {
  /** Null if there are too many edges. */
  readonly lists: EdgeLists | null;
  /** The commit that they were last brought up to. */
  seq: number;
  usedAt: number;
}

/**
 * The edges of types on the heads of branches, as the connection has last seen them. What commits have touched since is
 * read again before they are used. Never asked within a write, whose changes may be rolled back.
 */
export class EdgeListCache {
  readonly #executor: Executor;
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptLists>();
  #timer: NodeJS.Timeout | undefined;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** Has the edges at hand in this read, if there is room for them. */
  async prepare(request: EdgeListRequest): Promise<boolean> {
    const { key, graph, branch, load } = request;
    const before = this.#kept.get(key);
    if (before === undefined && !load) return false;
    const head = await selectNumber(
      this.#executor,
      sql`select b.head_seq as n from branch b where b.graph = ${graph} and b.id = ${branch}`,
    );
    if (before !== undefined && (await this.#update(request, before, head))) {
      this.#keep(key, before);
      return before.lists !== null;
    }
    this.#kept.delete(key);
    if (!load) return false;
    const lists = await this.#load(request);
    this.#keep(key, { lists, seq: head, usedAt: 0 });
    return lists !== null;
  }

  /** The nodes at these distances as a JSON list. */
  reached(key: string, source: number, direction: Direction, min: number, max: number): string {
    return jsonList(this.#prepared(key).reach(source, direction, min, max));
  }

  /** See EdgeLists; as a JSON list. */
  counts(key: string, direction: 'out' | 'in', nodes: readonly number[]): string {
    return jsonList(this.#prepared(key).counts(direction, nodes));
  }

  lieWithin(key: string, direction: 'out' | 'in', nodes: readonly number[]): boolean {
    return this.#prepared(key).lieWithin(direction, nodes);
  }

  #prepared(key: string): EdgeLists {
    const lists = this.#kept.get(key)?.lists;
    if (lists === undefined || lists === null) throw new TypeError('The edges were not prepared.');
    return lists;
  }

  clear(): void {
    this.#kept.clear();
    clearTimeout(this.#timer);
  }

  /** Applies what commits changed since; false if everything has to be read again. */
  async #update(request: EdgeListRequest, kept: KeptLists, head: number): Promise<boolean> {
    const { graph, branch, type, visible } = request;
    if (kept.seq === head) return true;
    if (kept.seq > head || kept.lists === null) return false;
    const since = kept.seq;
    // What collected commits touched may be forgotten.
    const collected = await this.#executor.all(
      sql`select 1 as found from commit_log c where c.graph = ${graph} and c.seq > ${since} and c.collected = 1 limit 1`,
    );
    if (collected.length > 0) return false;
    const touched = await this.#executor.all(
      sql`select distinct r.from_node, r.to_node from touched t cross join edge_row r
        where t.graph = ${graph} and t.branch = ${branch} and t.seq > ${since} and t.kind = 'edge'
        and r.row = t.ref and r.type = ${type} limit ${maxChanges + 1}`,
    );
    if (touched.length + kept.lists.changes > maxChanges) return false;
    const pairs = touched.map((row) => [readNumber(row, 'from_node'), readNumber(row, 'to_node')] as const);
    const connected = await this.#executor.all(
      sql`select p.key as pair from json_each(${JSON.stringify(pairs)}) p where exists (select 1 from edge_row e
        where e.from_node = p.value ->> 0 and e.to_node = p.value ->> 1 and e.type = ${type} and (${visible}))`,
    );
    const isConnected = new Set(connected.map((row) => readNumber(row, 'pair')));
    for (const [index, [from, to]] of pairs.entries()) kept.lists.set(from, to, isConnected.has(index));
    kept.seq = head;
    return true;
  }

  /** Null if there are too many edges, or too little memory. */
  async #load({ graph, type, visible }: EdgeListRequest): Promise<EdgeLists | null> {
    const pairs = new PairBuffer();
    const slice = new TimeSlice();
    for (let from = 0, to = 0; ; ) {
      const [page] = await this.#executor.all(
        sql`select json_group_array(p.from_node) as starts, json_group_array(p.to_node) as ends from
          (select e.from_node, e.to_node from edge_row e where e.graph = ${graph} and (e.from_node, e.to_node) > (${from}, ${to})
            and e.type = ${type} and (${visible}) order by e.from_node, e.to_node limit ${pageSize}) p`,
      );
      const starts: number[] = page === undefined ? [] : JSON.parse(readText(page, 'starts'));
      const ends: number[] = page === undefined ? [] : JSON.parse(readText(page, 'ends'));
      pairs.add(starts, ends);
      if (starts.length < pageSize) break;
      if (pairs.count > maxEdges || !this.#hasRoomFor(pairs.bytes)) return null;
      from = starts.at(-1) ?? 0;
      to = ends.at(-1) ?? 0;
      if (slice.isOver) await slice.yieldToOthers();
    }
    const lists = new EdgeLists(pairs.toArray());
    return lists.size <= maxListedNode ? lists : null;
  }

  #hasRoomFor(bytes: number): boolean {
    const available = process.availableMemory();
    if (4 * bytes < maxShareOfMemory * available) return true;
    this.clear();
    return false;
  }

  #keep(key: string, kept: KeptLists): void {
    kept.usedAt = performance.now();
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    let bytes = 0;
    for (const { lists } of this.#kept.values()) bytes += lists?.bytes ?? 0;
    for (const [oldest, { lists }] of this.#kept) {
      if (bytes <= maxBytes || oldest === key) break;
      this.#kept.delete(oldest);
      bytes -= lists?.bytes ?? 0;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clear(), idleMs).unref();
  }
}

function jsonList(numbers: readonly number[]): string {
  return `[${numbers.join()}]`;
}
