import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { type ErrorCode, TrellisError } from '../model/error.js';
import { didYouMean } from '../model/nearest.js';
import { YamlPositions } from './yaml-positions.js';

const maxListed = 10;

export type YamlValue = Node | null | undefined;

export interface YamlEntry {
  readonly key: Node;
  readonly value: YamlValue;
}

/**
 * Reads a YAML file (JSON is YAML too) node by node, so that every error has its line. Reading goes on after an error;
 * `throwIfInvalid` throws all of them at once.
 */
export class YamlReader {
  readonly path: string;
  readonly root: YamlValue;
  readonly #code: ErrorCode;
  readonly #positions: YamlPositions;
  readonly #errors: { readonly line: number; readonly text: string }[] = [];

  constructor(text: string, path: string, code: ErrorCode) {
    this.path = path;
    this.#code = code;
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2' });
    this.#positions = new YamlPositions(document, lines);
    for (const { pos, message } of document.errors)
      this.#errors.push({ line: this.#positions.atOffset(pos[0]).line, text: firstLine(message) });
    this.root = document.errors.length === 0 ? document.contents : undefined;
  }

  addError(value: YamlValue, text: string): void {
    this.#errors.push({ line: this.lineOf(value), text });
  }

  lineOf(value: YamlValue): number {
    return this.#positions.ofNode(value).line;
  }

  throwIfInvalid(hint: string): void {
    if (this.#errors.length === 0) return;
    const listed = this.#errors
      .toSorted((a, b) => a.line - b.line)
      .slice(0, maxListed)
      .map(({ line, text }) => `${this.path}:${line}: ${text}`);
    const more = this.#errors.length - listed.length;
    if (more > 0) listed.push(`and ${more} more`);
    throw new TrellisError(this.#code, listed.join('\n'), {
      hint,
      details: { path: this.path, lines: this.#errors.map(({ line }) => line).slice(0, maxListed) },
    });
  }

  /** A map with any keys, in the order of the file. */
  entries(value: YamlValue, what: string): ReadonlyMap<string, YamlEntry> {
    const found = new Map<string, YamlEntry>();
    if (!isMap(value)) {
      this.#wrong(value, what, 'a map');
      return found;
    }
    for (const pair of value.items) this.#entry(pair, found);
    return found;
  }

  /** A map with these keys only. */
  fields<K extends string>(value: YamlValue, what: string, keys: readonly K[]): ReadonlyMap<K, YamlEntry> {
    const found = new Map<K, YamlEntry>();
    for (const [name, entry] of this.entries(value, what)) {
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

  list(value: YamlValue, what: string): readonly YamlValue[] {
    if (isSeq<Node>(value)) return value.items;
    this.#wrong(value, what, 'a list');
    return [];
  }

  text(value: YamlValue, what: string): string | undefined {
    if (isScalar(value) && typeof value.value === 'string') return value.value;
    this.#wrong(value, what, 'a string');
    return undefined;
  }

  texts(value: YamlValue, what: string): readonly string[] {
    return this.list(value, what).flatMap((item) => this.text(item, `an item of ${what}`) ?? []);
  }

  oneOf<W extends string>(value: YamlValue, what: string, words: readonly W[]): W | undefined {
    const given = this.text(value, what);
    if (given === undefined) return undefined;
    const word = words.find((candidate) => candidate === given);
    if (word === undefined)
      this.addError(
        value,
        `${what} cannot be ${JSON.stringify(given)}.${didYouMean(given, words) || ` Use one of: ${words.join(', ')}.`}`,
      );
    return word;
  }

  #entry({ key, value }: Pair, found: Map<string, YamlEntry>): void {
    const node = isScalar(key) ? key : undefined;
    if (node === undefined || typeof node.value !== 'string')
      this.addError(node, 'a key must be a string; quote it');
    else found.set(node.value, { key: node, value: isNode(value) ? value : undefined });
  }

  #wrong(value: YamlValue, what: string, wanted: string): void {
    this.addError(value, `${what} must be ${wanted}${isAlias(value) ? '; aliases are not supported' : ''}.`);
  }
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
