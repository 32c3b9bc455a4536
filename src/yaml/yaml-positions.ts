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
import type { SourcePosition } from '../language/source.js';

export type KeyPath = readonly PropertyKey[];

/** Tells where the keys and values of a YAML document stand. */
export class YamlPositions {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  atOffset(offset: number): SourcePosition {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /** A node of the document; the first character if there is none. */
  ofNode(node: unknown): SourcePosition {
    return hasRange(node) ? this.atOffset(node.range[0]) : { line: 1, column: 1 };
  }

  /** The key that a path ends with, or what is nearest to it. */
  ofKey(path: KeyPath): SourcePosition {
    const key = this.#find(path)?.key;
    return key === undefined ? this.ofValue(path) : this.ofNode(key);
  }

  /** The value at a path, or what is nearest to it. */
  ofValue(path: KeyPath): SourcePosition {
    for (let length = path.length; length > 0; length--) {
      const found = this.#find(path.slice(0, length));
      if (found !== undefined) return this.ofNode(hasRange(found.value) ? found.value : found.key);
    }
    return this.ofNode(this.#document.contents);
  }

  /** What a path leads to, and the key it stands behind unless it is an item of a list. */
  #find(path: KeyPath): { readonly key: unknown; readonly value: unknown } | undefined {
    let found: { readonly key: unknown; readonly value: unknown } | undefined;
    let node: unknown = this.#document.contents;
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(this.#document);
      if (isSeq(node)) found = { key: undefined, value: node.items[Number(step)] };
      else found = isMap(node) ? this.#pairsOf(node).get(step) : undefined;
      if (found === undefined) return undefined;
      node = found.value;
    }
    return found;
  }

  /** By key, since every key of a large block may be asked for. */
  #pairsOf(map: YAMLMap): ReadonlyMap<unknown, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : undefined, pair]));
    this.#pairs.set(map, pairs);
    return pairs;
  }
}

function hasRange(node: unknown): node is Node & { range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
