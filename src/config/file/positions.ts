import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';

/** Where something stands in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type KeyPath = readonly PropertyKey[];

/** Tells where the keys and values of a document stand. */
export class Positions {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  at(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /** The key that a path ends with, or what is nearest to it. */
  ofKey(path: KeyPath): Position {
    const pair = this.#pairAt(path);
    return pair === undefined ? this.ofValue(path) : this.#start(pair.key);
  }

  /** The value at a path, or what is nearest to it. */
  ofValue(path: KeyPath): Position {
    for (let length = path.length; length > 0; length--) {
      const pair = this.#pairAt(path.slice(0, length));
      if (pair !== undefined) return this.#start(hasRange(pair.value) ? pair.value : pair.key);
    }
    return this.#start(this.#document.contents);
  }

  #pairAt(path: KeyPath): Pair | undefined {
    let node: unknown = this.#document.contents;
    let pair: Pair | undefined;
    for (const key of path) {
      if (isAlias(node)) node = node.resolve(this.#document);
      if (isSeq(node)) {
        node = node.items[Number(key)];
        continue;
      }
      pair = isMap(node) ? this.#pairsOf(node).get(key) : undefined;
      if (pair === undefined) return undefined;
      node = pair.value;
    }
    return pair;
  }

  /** By key, since every key of a large block may be asked for. */
  #pairsOf(map: YAMLMap): ReadonlyMap<unknown, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : undefined, pair]));
    this.#pairs.set(map, pairs);
    return pairs;
  }

  #start(node: unknown): Position {
    return hasRange(node) ? this.at(node.range[0]) : { line: 1, column: 1 };
  }
}

function hasRange(node: unknown): node is Node & { range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
