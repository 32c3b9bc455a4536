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

  /** The first character if there is no node. */
  ofNode(node: unknown): SourcePosition {
    return hasRange(node) ? this.atOffset(node.range[0]) : { line: 1, column: 1 };
  }

  /** The last key of a path, or the nearest existing part. */
  ofKey(path: KeyPath): SourcePosition {
    const key = this.#find(path)?.key;
    return key === undefined ? this.ofValue(path) : this.ofNode(key);
  }

  /** The value at a path, or the nearest existing part. */
  ofValue(path: KeyPath): SourcePosition {
    for (let length = path.length; length > 0; length--) {
      const found = this.#find(path.slice(0, length));
      if (found !== undefined) return this.ofNode(hasRange(found.value) ? found.value : found.key);
    }
    return this.ofNode(this.#document.contents);
  }

  /** The value at a path and its key, which items of a list lack. */
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

  /** Cached by key, because callers may look up every key of a large map. */
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
