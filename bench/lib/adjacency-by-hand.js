// @ts-check
import { live } from './query-forms.js';

/**
 * What somebody would write who had only this traversal to make: the edges of a type as two arrays each way, read once.
 */
export class AdjacencyByHand {
  /** @type {{ starts: Int32Array, ends: Int32Array }} */
  out;
  /** @type {{ starts: Int32Array, ends: Int32Array }} */
  in;
  #distance;

  /**
   * @param {readonly number[]} from
   * @param {readonly number[]} to
   */
  constructor(from, to) {
    let size = 0;
    for (const node of from) size = Math.max(size, node + 1);
    for (const node of to) size = Math.max(size, node + 1);
    this.out = lists(from, to, size);
    this.in = lists(to, from, size);
    this.#distance = new Int8Array(size);
  }

  /**
   * @param {(sql: string, params: readonly unknown[]) => Promise<Record<string, unknown>[]>} all
   * @param {readonly number[]} seen
   */
  static async read(all, seen) {
    const rows = await all(
      `select e.from_node as f, e.to_node as t from edge_row e where ${live('e')} and e.type = 'Knows'`,
      seen,
    );
    return new AdjacencyByHand(
      rows.map((row) => Number(row['f'])),
      rows.map((row) => Number(row['t'])),
    );
  }

  /**
   * The nodes 1 to `max` steps away.
   * @param {number} source
   * @param {number} max
   * @param {readonly ('out' | 'in')[]} directions
   */
  reach(source, max, directions) {
    const distance = this.#distance.fill(-1);
    distance[source] = 0;
    const found = [source];
    for (let at = 0; at < found.length; at++) {
      const node = found[at] ?? 0;
      const next = (distance[node] ?? 0) + 1;
      if (next > max) break;
      for (const direction of directions) {
        const { starts, ends } = this[direction];
        for (let index = starts[node] ?? 0; index < (starts[node + 1] ?? 0); index++) {
          const other = ends[index] ?? 0;
          if (distance[other] !== -1) continue;
          distance[other] = next;
          found.push(other);
        }
      }
    }
    return found.slice(1);
  }
}

/**
 * @param {readonly number[]} near
 * @param {readonly number[]} far
 * @param {number} size
 */
function lists(near, far, size) {
  const starts = new Int32Array(size + 1);
  for (const node of near) starts[node + 1] = (starts[node + 1] ?? 0) + 1;
  for (let node = 0; node < size; node++) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const ends = new Int32Array(near.length);
  const next = starts.slice();
  for (const [index, node] of near.entries()) {
    ends[next[node] ?? 0] = far[index] ?? 0;
    next[node] = (next[node] ?? 0) + 1;
  }
  return { starts, ends };
}
