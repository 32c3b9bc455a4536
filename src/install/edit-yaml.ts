import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ConfigEditor, EntryPlace } from './config-editor.js';
import type { EntryValue } from './server-entry.js';
import { lineAt, UnreadableConfig } from './unreadable-config.js';

/** Inserts and cuts whole lines, because writing a parsed document back would reformat all of it. */
export const yamlEditor: ConfigEditor = {
  read: (text, place) => entryOf(parseServers(text, place), place)?.value,
  set(text, place, value) {
    const cut = cutEntry(text, place);
    return insertEntry(cut, place, value);
  },
  remove: cutEntry,
};

interface Servers {
  /** Undefined if the file has none, or the key is empty. */
  readonly node: YAMLMap | YAMLSeq | undefined;
  /** The pair of the key; undefined if it is missing. */
  readonly pair: Pair | undefined;
}

function parseServers(text: string, { key, isList }: EntryPlace): Servers {
  const root = parseRoot(text);
  const pair = root?.items.find((item) => keyText(item) === key);
  const node = pair?.value;
  if (node === undefined || node === null || (isScalar(node) && node.value === null))
    return { node: undefined, pair };
  if (isSeq(node) !== isList || isMap(node) === isList)
    throw new UnreadableConfig(`${key} is not a ${isList ? 'list' : 'map'}`, lineOf(text, node));
  if (!isMap(node) && !isSeq(node)) return { node: undefined, pair };
  if (node.flow === true)
    throw new UnreadableConfig(`${key} is written in brackets; write one entry a line`, lineOf(text, node));
  return { node, pair };
}

function parseRoot(text: string): YAMLMap | undefined {
  const document: Document.Parsed = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new UnreadableConfig(firstLine(error.message), lineAt(text, error.pos[0]));
  const root = document.contents;
  if (root === null) return undefined;
  if (!isMap(root)) throw new UnreadableConfig('The file is not a map', 1);
  return root;
}

interface Entry {
  readonly value: unknown;
  /** Where its first and its last character are. */
  readonly start: number;
  readonly end: number;
}

function entryOf({ node }: Servers, { name }: EntryPlace): Entry | undefined {
  if (isSeq(node)) {
    const item = node.items.find((candidate) => isMap(candidate) && candidate.get('name') === name);
    return isMap(item) ? { value: item.toJSON(), ...span(item, item) } : undefined;
  }
  const pair = node?.items.find((item) => keyText(item) === name);
  return pair === undefined ? undefined : { value: plainValue(pair), ...span(pair.key, pair.value) };
}

function cutEntry(text: string, place: EntryPlace): string {
  const servers = parseServers(text, place);
  const entry = entryOf(servers, place);
  if (entry === undefined) return text;
  const isOnly = servers.node?.items.length === 1;
  // An empty key means something else than no key: it goes with its last entry.
  const start = isOnly && servers.pair !== undefined ? span(servers.pair.key, undefined).start : entry.start;
  return text.slice(0, lineStart(text, start)) + text.slice(lineEnd(text, entry.end - 1));
}

function insertEntry(text: string, place: EntryPlace, value: EntryValue): string {
  const { node, pair } = parseServers(text, place);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const last = node?.items.at(-1);
  const first = node?.items[0];
  if (first === undefined || last === undefined) {
    const block = blockText(place, value, '  ', eol);
    if (pair === undefined) return `${endedWithLine(text, eol)}${place.key}:${eol}${block}`;
    const at = lineEnd(text, span(pair.key, undefined).end - 1);
    return `${endedWithLine(text.slice(0, at), eol)}${block}${text.slice(at)}`;
  }
  const isItem = isMap(first);
  const start = isItem ? span(first, first).start : span((first as Pair).key, undefined).start;
  const line = text.slice(lineStart(text, start), start);
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const end = isItem ? span(last, last).end : span((last as Pair).key, (last as Pair).value).end;
  const at = lineEnd(text, end - 1);
  return `${endedWithLine(text.slice(0, at), eol)}${blockText(place, value, indent, eol)}${text.slice(at)}`;
}

function blockText({ name, isList }: EntryPlace, value: EntryValue, indent: string, eol: string): string {
  const yaml = stringify(isList ? [value] : { [name]: value }, { lineWidth: 0 });
  return yaml
    .trimEnd()
    .split('\n')
    .map((line) => indent + line + eol)
    .join('');
}

function span(from: unknown, to: unknown): { start: number; end: number } {
  const start = rangeOf(from)?.[0] ?? 0;
  return { start, end: rangeOf(to)?.[1] ?? rangeOf(from)?.[1] ?? start };
}

function rangeOf(node: unknown): readonly number[] | undefined {
  return (node as Node | null | undefined)?.range ?? undefined;
}

function plainValue({ value }: Pair): unknown {
  return isMap(value) || isSeq(value) || isScalar(value) ? value.toJSON() : value;
}

function keyText({ key }: Pair): unknown {
  return isScalar(key) ? key.value : key;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** After the line's end. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function endedWithLine(text: string, eol: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eol;
}

function lineOf(text: string, node: unknown): number {
  return lineAt(text, span(node, undefined).start);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
