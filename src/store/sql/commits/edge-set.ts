import { type EdgeIdentity, edgeFromKey, edgeKey } from '../../../model/edge.js';

const initialCapacity = 16;
/** Both ends are kept in one number, which has 53 bits. */
const maxFrom = 2 ** 26;
const maxTo = 2 ** 27;
const maxTypes = 2 ** 16;

/**
 * Edges by their identities. A large write touches very many, so one without a key takes about 30 bytes; a text would take
 * four times as much, in memory that has to be searched for garbage. In the order in which they were added, first those
 * without a key.
 */
export class EdgeSet implements Iterable<EdgeIdentity> {
  /** The types, in the order of their numbers. */
  readonly #types: string[] = [];
  readonly #typeNumbers = new Map<string, number>();
  #size = 0;
  #ends = new Float64Array(initialCapacity);
  #typeOf = new Uint16Array(initialCapacity);
  /** By hash: 0 if it is free, else the index of an edge plus one. */
  #slots = new Int32Array(2 * initialCapacity);
  /** The keys of edges that do not fit above. */
  readonly #others = new Set<string>();

  get size(): number {
    return this.#size + this.#others.size;
  }

  has(edge: EdgeIdentity): boolean {
    const type = this.#typeNumbers.get(edge.type);
    if (type === undefined || !isPlain(edge)) return this.#others.size > 0 && this.#others.has(edgeKey(edge));
    return this.#slots[this.#slotOf(endsOf(edge), type)] !== 0;
  }

  add(edge: EdgeIdentity): void {
    const type = isPlain(edge) ? this.#typeNumber(edge.type) : undefined;
    if (type === undefined) {
      this.#others.add(edgeKey(edge));
      return;
    }
    const ends = endsOf(edge);
    const slot = this.#slotOf(ends, type);
    if (this.#slots[slot] !== 0) return;
    this.#ends[this.#size] = ends;
    this.#typeOf[this.#size] = type;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    if (this.#size === this.#ends.length) this.#grow();
  }

  *[Symbol.iterator](): Generator<EdgeIdentity> {
    for (let index = 0; index < this.#size; index++) {
      const ends = this.#ends[index] as number;
      const type = this.#types[this.#typeOf[index] as number] as string;
      yield { from: Math.floor(ends / maxTo), to: ends % maxTo, type, key: '' };
    }
    for (const key of this.#others) yield edgeFromKey(key);
  }

  /** Undefined if there are too many. */
  #typeNumber(type: string): number | undefined {
    const known = this.#typeNumbers.get(type);
    if (known !== undefined || this.#types.length === maxTypes) return known;
    this.#typeNumbers.set(type, this.#types.length);
    return this.#types.push(type) - 1;
  }

  /** Where the edge is, or would be. */
  #slotOf(ends: number, type: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(ends, type) & mask;
    for (let at = this.#slots[slot] as number; at !== 0; at = this.#slots[slot] as number) {
      if (this.#ends[at - 1] === ends && this.#typeOf[at - 1] === type) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [ends, types] = [this.#ends, this.#typeOf];
    this.#ends = new Float64Array(2 * ends.length);
    this.#typeOf = new Uint16Array(2 * ends.length);
    this.#slots = new Int32Array(4 * ends.length);
    this.#ends.set(ends);
    this.#typeOf.set(types);
    for (let index = 0; index < this.#size; index++)
      this.#slots[this.#slotOf(ends[index] as number, types[index] as number)] = index + 1;
  }
}

function isPlain({ from, to, key }: EdgeIdentity): boolean {
  return key === '' && from >= 0 && to >= 0 && from < maxFrom && to < maxTo;
}

function endsOf({ from, to }: EdgeIdentity): number {
  return from * maxTo + to;
}

function hashOf(ends: number, type: number): number {
  const low = ends | 0;
  const high = Math.floor(ends / 2 ** 32);
  const mixed = Math.imul(low ^ Math.imul(high + type, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
