export type Direction = 'out' | 'in' | 'both';

/** A node and a count are sent as one number: the node in the lower bits. */
export const listedNodeBits = 26;
export const maxListedNode = 2 ** listedNodeBits - 1;

interface Neighbours {
  /** The neighbours of node n are `nodes` from `starts[n]` to `starts[n + 1]`, unless they have changed. */
  readonly starts: Int32Array;
  readonly nodes: Int32Array;
  readonly changed: Map<number, readonly number[]>;
}

/** Which nodes the edges of one type connect, for following them in memory. Parallel edges count as one. */
export class EdgeLists {
  readonly #out: Neighbours;
  readonly #in: Neighbours;
  /** 1 for each node that a walk has reached; cleared after it. */
  #reached: Uint8Array;

  /** @param pairs The ends of edges, from and to in turns. */
  constructor(pairs: Int32Array) {
    let size = 0;
    for (const node of pairs) if (node >= size) size = node + 1;
    this.#out = neighboursOf(pairs, 0, size);
    this.#in = neighboursOf(pairs, 1, size);
    this.#reached = new Uint8Array(size);
  }

  /** Beyond all nodes that have edges. */
  get size(): number {
    return this.#reached.length;
  }

  get bytes(): number {
    const lists = [this.#out, this.#in].map(({ starts, nodes }) => starts.byteLength + nodes.byteLength);
    return lists.reduce((sum, bytes) => sum + bytes, this.#reached.byteLength);
  }

  /** How many neighbours are listed anew since all of them were read. */
  get changes(): number {
    let count = 0;
    for (const { changed } of [this.#out, this.#in])
      for (const nodes of changed.values()) count += nodes.length;
    return count;
  }

  set(from: number, to: number, isConnected: boolean): void {
    change(this.#out, from, to, isConnected);
    change(this.#in, to, from, isConnected);
    const size = Math.max(from, to) + 1;
    if (size > this.#reached.length) this.#reached = new Uint8Array(2 * size);
  }

  /** The nodes at least `min` and at most `max` steps away. Only an edge from the source to itself leads back to it. */
  reach(source: number, direction: Direction, min: number, max: number): readonly number[] {
    const sides = { out: [this.#out], in: [this.#in], both: [this.#out, this.#in] }[direction];
    const found = [source];
    let wanted = min === 0 ? 0 : undefined;
    this.#reached[source] = 1;
    for (let step = 1, from = 0; step <= max && from < found.length; step++) {
      const until = found.length;
      if (step === min) wanted = until;
      for (; from < until; from++) for (const side of sides) this.#enter(side, found[from] ?? 0, found);
    }
    for (const node of found) this.#reached[node] = 0;
    const isLoop = min === 1 && sides.some((side) => neighbours(side, source).includes(source));
    const far = wanted === undefined ? [] : found.slice(wanted);
    return isLoop ? [source, ...far] : far;
  }

  /** For each node with neighbours among these nodes, how many; see `listedNodeBits`. */
  counts(direction: 'out' | 'in', nodes: readonly number[]): readonly number[] {
    const side = direction === 'out' ? this.#out : this.#in;
    const counted = this.#marked(nodes);
    const found: number[] = [];
    for (let node = 0; node < this.#reached.length; node++) {
      let count = 0;
      for (const other of neighbours(side, node)) count += counted[other] ?? 0;
      if (count > 0) found.push(count * (maxListedNode + 1) + node);
    }
    return found;
  }

  /** Whether all edges begin (`out`), or end, at these nodes. */
  lieWithin(direction: 'out' | 'in', nodes: readonly number[]): boolean {
    const side = direction === 'out' ? this.#out : this.#in;
    const allowed = this.#marked(nodes);
    for (let node = 0; node < this.#reached.length; node++)
      if (allowed[node] !== 1 && neighbours(side, node).length > 0) return false;
    return true;
  }

  #marked(nodes: readonly number[]): Uint8Array {
    const marked = new Uint8Array(this.#reached.length);
    for (const node of nodes) marked[node] = 1;
    return marked;
  }

  #enter(side: Neighbours, node: number, found: number[]): void {
    const reached = this.#reached;
    for (const other of neighbours(side, node)) {
      if (reached[other] === 1) continue;
      reached[other] = 1;
      found.push(other);
    }
  }
}

function neighbours({ starts, nodes, changed }: Neighbours, node: number): readonly number[] | Int32Array {
  return changed.get(node) ?? nodes.subarray(starts[node] ?? nodes.length, starts[node + 1] ?? nodes.length);
}

function change(side: Neighbours, node: number, other: number, isConnected: boolean): void {
  const others = [...neighbours(side, node)].filter((each) => each !== other);
  if (isConnected) others.push(other);
  side.changed.set(node, others);
}

/** @param near Which of a pair is the node whose neighbours are listed. */
function neighboursOf(pairs: Int32Array, near: 0 | 1, size: number): Neighbours {
  const starts = new Int32Array(size + 1);
  const after = (node: number | undefined, count: number) => {
    const place = (node ?? 0) + 1;
    starts[place] = (starts[place] ?? 0) + count;
  };
  for (let at = near; at < pairs.length; at += 2) after(pairs[at], 1);
  for (let node = 1; node <= size; node++) after(node - 1, starts[node - 1] ?? 0);
  const next = starts.slice();
  const nodes = new Int32Array(pairs.length / 2);
  for (let at = near; at < pairs.length; at += 2) {
    const node = pairs[at] ?? 0;
    const place = next[node] ?? 0;
    nodes[place] = pairs[at + 1 - 2 * near] ?? 0;
    next[node] = place + 1;
  }
  return { starts, nodes, changed: new Map() };
}
