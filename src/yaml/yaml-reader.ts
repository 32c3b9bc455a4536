import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from 'yaml';
import { type ErrorCode, TrellisError } from '../model/error.js';
import { didYouMean } from '../model/nearest.js';
import { YamlPositions } from './yaml-positions.js';

/** How many faults one message lists. */
const maxListed = 10;

/** A value in a file, with the place it stands at. */
export type YamlValue = Node | null | undefined;

/** One entry of a map: where its key stands, and its value. */
export interface YamlEntry {
  readonly key: Node;
  readonly value: YamlValue;
}

/**
 * A YAML file (JSON is YAML too) that is read node by node, so that every fault is told with its line. Reading goes on
 * after a fault; `finish` throws all of them at once.
 */
export class YamlReader {
  readonly path: string;
  readonly root: YamlValue;
  readonly #code: ErrorCode;
  readonly #positions: YamlPositions;
  readonly #faults: { readonly line: number; readonly text: string }[] = [];

  constructor(text: string, path: string, code: ErrorCode) {
    this.path = path;
    this.#code = code;
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2' });
    this.#positions = new YamlPositions(document, lines);
    for (const { pos, message } of document.errors)
      this.#faults.push({ line: this.#positions.atOffset(pos[0]).line, text: firstLine(message) });
    this.root = rootOf(document);
  }

  /** Notes that something is wrong at a place. */
  addError(at: YamlValue, text: string): void {
    this.#faults.push({ line: this.lineOf(at), text });
  }

  lineOf(at: YamlValue): number {
    return this.#positions.ofNode(at).line;
  }

  /** Throws if anything was wrong. */
  throwIfInvalid(hint: string): void {
    if (this.#faults.length === 0) return;
    const listed = this.#faults
      .toSorted((a, b) => a.line - b.line)
      .slice(0, maxListed)
      .map(({ line, text }) => `${this.path}:${line}: ${text}`);
    const more = this.#faults.length - listed.length;
    if (more > 0) listed.push(`and ${more} more`);
    throw new TrellisError(this.#code, listed.join('\n'), {
      hint,
      details: { path: this.path, lines: this.#faults.map(({ line }) => line).slice(0, maxListed) },
    });
  }

  /** A map with any keys, in the order of the file. */
  entries(at: YamlValue, what: string): ReadonlyMap<string, YamlEntry> {
    const found = new Map<string, YamlEntry>();
    if (!isMap(at)) {
      this.#wrong(at, what, 'a map');
      return found;
    }
    for (const pair of at.items) this.#entry(pair, found);
    return found;
  }

  /** A map with these keys only. */
  fields<K extends string>(at: YamlValue, what: string, keys: readonly K[]): ReadonlyMap<K, YamlEntry> {
    const found = new Map<K, YamlEntry>();
    for (const [name, entry] of this.entries(at, what)) {
      const key = keys.find((candidate) => candidate === name);
      if (key !== undefined) found.set(key, entry);
      else
        this.addError(
          entry.key,
          `${what} has no key ${JSON.stringify(name)}.${didYouMean(name, keys) || ` It may have: ${keys.join(', ')}.`}`,
        );
    }
    return found;
  }

  list(at: YamlValue, what: string): readonly YamlValue[] {
    if (isSeq<Node>(at)) return at.items;
    this.#wrong(at, what, 'a list');
    return [];
  }

  text(at: YamlValue, what: string): string | undefined {
    if (isScalar(at) && typeof at.value === 'string') return at.value;
    this.#wrong(at, what, 'a text');
    return undefined;
  }

  /** A list of texts. */
  texts(at: YamlValue, what: string): readonly string[] {
    return this.list(at, what).flatMap((item) => this.text(item, `an item of ${what}`) ?? []);
  }

  /** One of the given words. */
  oneOf<W extends string>(at: YamlValue, what: string, words: readonly W[]): W | undefined {
    const given = this.text(at, what);
    if (given === undefined) return undefined;
    const word = words.find((candidate) => candidate === given);
    if (word === undefined)
      this.addError(
        at,
        `${what} cannot be ${JSON.stringify(given)}.${didYouMean(given, words) || ` Use one of: ${words.join(', ')}.`}`,
      );
    return word;
  }

  #entry({ key, value }: Pair, found: Map<string, YamlEntry>): void {
    const node = isScalar(key) ? key : undefined;
    if (node === undefined || typeof node.value !== 'string') {
      this.addError(node, 'a key must be a text; put it in quotes');
      return;
    }
    if (isNode(value)) found.set(node.value, { key: node, value });
    else found.set(node.value, { key: node, value: undefined });
  }

  #wrong(at: YamlValue, what: string, wanted: string): void {
    this.addError(at, `${what} must be ${wanted}${isAlias(at) ? '; aliases are not taken' : ''}.`);
  }
}

function rootOf(document: Document.Parsed): YamlValue {
  return document.errors.length === 0 ? document.contents : undefined;
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
