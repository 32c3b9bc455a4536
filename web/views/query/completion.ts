import { parameterKinds } from './parse-query-heads.js';
import type { Schema, SchemaProperty } from './parse-schema.js';

export interface Completion {
  readonly text: string;
  readonly detail: string;
}

export interface Completions {
  /** Where the word that is being written begins. */
  readonly from: number;
  readonly options: readonly Completion[];
}

/** Names to complete: those of the schema, or of an open graph the types it holds. */
export interface KnownNames extends Schema {
  readonly nodeTypes: readonly string[];
  readonly edgeTypes: readonly string[];
}

const keywords = [
  ...['query', 'match', 'return', 'order', 'limit', 'insert', 'update', 'set', 'delete', 'where'],
  ...['and', 'or', 'not', 'exists', 'contains', 'starts_with', 'in', 'is', 'null', 'as', 'asc', 'desc'],
  ...['count', 'sum', 'avg', 'min', 'max', 'true', 'false'],
];
const builtIn = ['name', 'summary', 'tags', 'source', 'confidence', 'extraction_method'];
const mostOptions = 30;

/** What fits at the cursor. */
export function completionsAt(source: string, cursor: number, names: KnownNames): Completions {
  const before = source.slice(0, cursor);
  const word = /[$`]?[A-Za-z0-9_]*$/.exec(before)?.[0] ?? '';
  const from = cursor - word.length;
  const typed = word.replace(/^[`]/, '').toLowerCase();
  const options = candidates(before.slice(0, from), word, source, names).filter(
    ({ text }) => text.replace(/^`/, '').toLowerCase().startsWith(typed) && text !== word,
  );
  return { from, options: options.slice(0, mostOptions) };
}

function candidates(before: string, word: string, source: string, names: KnownNames): readonly Completion[] {
  if (word.startsWith('$')) return variablesIn(source);
  const variable = /\$([A-Za-z0-9_]+)\.$/.exec(before)?.[1];
  if (variable !== undefined) return properties(typeOf(variable, source), names);
  if (/\bquery\s+\w+\s*\([^)]*\$\w+\s*:\s*\[?$/.test(before))
    return described(Object.keys(parameterKinds), 'value');
  if (/\$\w+\s+\$\w+\s*:\s*<?$/.test(before)) return edges(names);
  if (/(?:\$\w+\s*:|\b(?:insert|update|delete))\s*$/.test(before)) return nodeTypes(names);
  if (/[{\s]\$\w+\s+<?$/.test(before)) return [...edges(names), ...described(keywords, 'word')];
  const owner = /([A-Za-z0-9_]+|`[^`]+`)\s*(?:set\s*)?\{[^{}]*$/.exec(before)?.[1];
  if (owner !== undefined && isType(owner, names) && !/:\s*$/.test(before)) return properties(owner, names);
  return described(keywords, 'word');
}

function variablesIn(source: string): readonly Completion[] {
  return described([...new Set(source.match(/\$[A-Za-z0-9_]+/g) ?? [])], 'variable');
}

/** The type that the query gives a variable. */
function typeOf(variable: string, source: string): string | undefined {
  const bound = new RegExp(`\\$${variable}\\s*:\\s*<?([A-Za-z0-9_]+|\`[^\`]+\`)`).exec(source)?.[1];
  return bound === undefined || bound in parameterKinds ? undefined : bound;
}

function properties(owner: string | undefined, names: KnownNames): readonly Completion[] {
  const name = owner?.replaceAll('`', '');
  const found =
    names.types.find((type) => type.name === name) ??
    names.edges.find((edge) => edge.name === name || edgeWord(edge.name) === name);
  const own = (found?.properties ?? []).map(({ name: text, type }: SchemaProperty) => ({
    text,
    detail: type,
  }));
  const known = new Set(own.map(({ text }) => text));
  return [...own, ...described(builtIn, 'built in').filter(({ text }) => !known.has(text))];
}

function isType(given: string, { types, edges: known, nodeTypes: stored }: KnownNames): boolean {
  const name = given.replaceAll('`', '');
  return [...types, ...known].some((type) => type.name === name) || stored.includes(name);
}

function nodeTypes({ types, edges: known, nodeTypes: stored }: KnownNames): readonly Completion[] {
  if (types.length === 0) return described(stored.map(quotedType), 'type');
  return [
    ...types.map(({ name, kind }) => ({ text: name, detail: kind })),
    ...known.map(({ name }) => ({ text: name, detail: 'edge' })),
  ];
}

function edges({ types, edges: known, edgeTypes }: KnownNames): readonly Completion[] {
  if (types.length === 0)
    return described(
      edgeTypes.map((name) => quoted(name, /^[a-z_]\w*$/)),
      'edge',
    );
  return known.map(({ name, from, to }) => ({ text: edgeWord(name), detail: `${from} → ${to}` }));
}

/** `WorksAt` is written `worksAt` in a query. */
function edgeWord(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

export function quotedType(name: string): string {
  return quoted(name, /^[A-Z]\w*$/);
}

/** A name of an open graph, which needs quotes unless it is spelled as the language spells such names. */
function quoted(name: string, plain: RegExp): string {
  return plain.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

function described(names: readonly string[], detail: string): readonly Completion[] {
  return names.map((text) => ({ text, detail }));
}
