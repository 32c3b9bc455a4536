import { valueText } from '../parts/text.js';
import type { ToolCall } from './call-tool.js';
import { isRecord, type Params } from './host-link.js';

/** A whole node in the result of a query, with what the graph surface needs to find it again. */
export interface RecordOfNode {
  readonly id: string;
  /** As it is written in a query; undefined if the query does not say. */
  readonly type: string | undefined;
  readonly fields: Params;
  readonly branch: string | undefined;
  /** Of the past, which nobody can change. */
  readonly isSnapshot: boolean;
}

/** Every node has these; other surfaces write them, or the gate. */
const builtIn: ReadonlySet<string> = new Set([
  ...['name', 'summary', 'tags', 'observations'],
  ...[
    'source',
    'extraction_method',
    'write_gate_version',
    '_schema_remap_from',
    'confidence',
    'last_updated',
  ],
]);

/** The node in a cell, such as that of the column `p` of `return { $p }`. */
export function recordIn(
  value: unknown,
  column: string,
  from: ToolCall | undefined,
): RecordOfNode | undefined {
  if (!isRecord(value) || typeof value['@id'] !== 'string') return undefined;
  const { '@id': id, ...fields } = value;
  const { branch, snapshot, source, query } = from?.name === 'query' ? from.arguments : {};
  return {
    ...{ id, fields, type: typeOf(column, String(source ?? query ?? '')) },
    branch: typeof branch === 'string' ? branch : undefined,
    isSnapshot: snapshot !== undefined,
  };
}

/** What `$p: Person` says of `p`. */
function typeOf(variable: string, source: string): string | undefined {
  if (!/^\w+$/.test(variable)) return undefined;
  return new RegExp(`\\$${variable}\\s*:\\s*(\`[^\`]+\`|[A-Z]\\w*)`).exec(source)?.[1];
}

export function canFind({ type, isSnapshot, id, fields }: RecordOfNode): boolean {
  return type !== undefined && !isSnapshot && keysOf(id, fields).length > 0;
}

export function canCorrectField(record: RecordOfNode, field: string): boolean {
  const { id, fields } = record;
  return (
    canFind(record) &&
    canQuote(field) &&
    !builtIn.has(field) &&
    isScalar(fields[field]) &&
    !keysOf(id, fields).includes(field)
  );
}

/** Only if the field still has the value that is shown. */
export function correctFieldCall(record: RecordOfNode, field: string, text: string): ToolCall {
  const { type, fields, branch } = record;
  const value = literal(fieldValue(fields[field], text));
  const where = [...conditions(record), `${quoted(field)} = ${literal(fields[field])}`].join(' and ');
  const source = `query correct() { update ${type} set { ${quoted(field)}: ${value} } where ${where} }`;
  return { name: 'mutate', arguments: { source, ...(branch === undefined ? {} : { branch }) } };
}

export function loadRecordCall(record: RecordOfNode): ToolCall {
  const { type, branch } = record;
  const source = `query record() { match { $node: ${type}  ${conditions(record, '$node.').join('  ')} } return { $node } }`;
  return { name: 'query', arguments: { source, ...(branch === undefined ? {} : { branch }) } };
}

/** The same kind of value as before. */
export function fieldProblem(before: unknown, text: string): string | undefined {
  if (typeof before === 'number' && (text.trim() === '' || !Number.isFinite(Number(text))))
    return 'Write a number.';
  if (typeof before === 'boolean' && !/^(true|false)$/.test(text.trim())) return 'Write true or false.';
  return undefined;
}

function fieldValue(before: unknown, text: string): unknown {
  if (typeof before === 'number') return Number(text);
  return typeof before === 'boolean' ? text.trim() === 'true' : text;
}

/** The key has the value of the id. If others have it as well, all of them must match, so that no other node does. */
function keysOf(id: string, fields: Params): readonly string[] {
  return Object.keys(fields).filter(
    (field) => canQuote(field) && isScalar(fields[field]) && valueText(fields[field]) === id,
  );
}

function conditions({ id, fields }: RecordOfNode, prefix = ''): readonly string[] {
  return keysOf(id, fields).map((field) => `${prefix}${quoted(field)} = ${literal(fields[field])}`);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** A name with a backquote would end there, and its rest would be part of the query. */
function canQuote(name: string): boolean {
  return !name.includes('`');
}

function quoted(name: string): string {
  return `\`${name}\``;
}

/** The query language has fewer escapes than JSON. */
function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const escaped = (character: string) => `\\u{${character.charCodeAt(0).toString(16)}}`;
  return `"${value.replace(/["\\\p{Cc}]/gu, escaped)}"`;
}
