import { checkProps } from '../model/check-props.js';
import { asTrellisError, reasonOf } from '../model/error.js';
import { hasProtoKey } from '../model/has-proto-key.js';
import { isRecord } from '../model/is-record.js';
import type { Props } from '../model/json.js';
import { didYouMean } from '../model/nearest.js';
import type { Provenance } from '../model/provenance.js';
import { checkName, checkShortText, checkText } from '../model/text.js';
import { lineError } from './line-error.js';
import { parseProvenance } from './parse-provenance.js';
import type { NumberedLine } from './read-ingest-lines.js';

export interface IngestNodeLine {
  readonly kind: 'node';
  readonly line: number;
  readonly type: string;
  /** The name, if it is given outside `data`. */
  readonly id: string | undefined;
  readonly data: Props;
  readonly summary: string | null | undefined;
  readonly tags: readonly string[] | undefined;
  readonly observations: readonly string[] | undefined;
  readonly provenance: Provenance | undefined;
}

export interface IngestEdgeLine {
  readonly kind: 'edge';
  readonly line: number;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** Needed if nodes of several types have the same name. */
  readonly fromType: string | undefined;
  readonly toType: string | undefined;
  /** Distinguishes edges of one type between the same nodes: the member `id`, or `key`. */
  readonly key: string | undefined;
  readonly weight: number | undefined;
  readonly data: Props;
  readonly provenance: Provenance | undefined;
}

export type IngestLine = IngestNodeLine | IngestEdgeLine;

const nodeExample = '{"type":"Person","data":{"name":"Ada"}}';
const edgeExample = '{"edge":"Knows","from":"Ada","to":"Grace","data":{}}';
const lineExamples = `A node is ${nodeExample}, an edge is ${edgeExample}.`;

const nodeKeys: ReadonlySet<string> = new Set([
  ...['type', 'id', 'data', 'summary', 'tags', 'observations', 'provenance'],
]);
const edgeKeys: ReadonlySet<string> = new Set([
  ...['edge', 'id', 'from', 'to', 'from_type', 'to_type', 'key', 'weight', 'data', 'provenance'],
]);

type Members = Readonly<Record<string, unknown>>;

export function parseIngestLine({ number, text }: NumberedLine): IngestLine {
  const value = parseJsonLine(number, text);
  if (!isRecord(value)) throw lineError(number, 'it must be a JSON object.', lineExamples);
  if (hasProtoKey(value))
    throw lineError(number, '__proto__ is not allowed as a name.', 'Choose another name.');
  const isEdge = Object.hasOwn(value, 'edge');
  if (!isEdge && !Object.hasOwn(value, 'type')) {
    throw lineError(number, 'it has neither "type" (a node) nor "edge" (an edge).', lineExamples);
  }
  const known = isEdge ? edgeKeys : nodeKeys;
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue;
    throw lineError(
      number,
      `unknown key ${JSON.stringify(key)}.${didYouMean(key, known)}`,
      `Properties go into "data". ${lineExamples}`,
    );
  }
  try {
    return isEdge ? edgeLine(number, value) : nodeLine(number, value);
  } catch (error) {
    const { code, message, details, hint = lineExamples } = asTrellisError(error);
    throw details?.['line'] === number ? error : lineError(number, message, hint, code);
  }
}

function nodeLine(line: number, value: Members): IngestNodeLine {
  const { summary, tags, observations } = value;
  const id = optionalString(line, value, 'id');
  if (summary !== undefined && summary !== null && typeof summary !== 'string')
    throw memberError(line, 'summary', 'a string or null');
  if (id !== undefined) checkName(id, 'The id');
  if (typeof summary === 'string') checkText(summary, 'The summary');
  const data = propsOf(line, value);
  return {
    kind: 'node',
    line,
    type: checkName(stringOf(line, value, 'type'), 'The type'),
    id,
    data,
    summary,
    tags: tags === undefined ? undefined : tagsOf(line, tags),
    observations: observations === undefined ? undefined : strings(line, 'observations', observations),
    provenance: parseProvenance(line, value['provenance'], data),
  };
}

function edgeLine(line: number, value: Members): IngestEdgeLine {
  const { weight } = value;
  if (weight !== undefined && !(typeof weight === 'number' && weight >= 0 && weight <= 1))
    throw memberError(line, 'weight', 'a number between 0 and 1');
  const data = propsOf(line, value);
  return {
    kind: 'edge',
    line,
    type: checkName(stringOf(line, value, 'edge'), 'The edge'),
    from: checkName(stringOf(line, value, 'from'), 'from'),
    to: checkName(stringOf(line, value, 'to'), 'to'),
    fromType: optionalName(line, value, 'from_type'),
    toType: optionalName(line, value, 'to_type'),
    key: edgeKeyMember(line, value),
    weight,
    data,
    provenance: parseProvenance(line, value['provenance'], data),
  };
}

/** Both names may be given, for one value. */
function edgeKeyMember(line: number, value: Members): string | undefined {
  const id = optionalString(line, value, 'id');
  const key = optionalString(line, value, 'key') ?? id;
  if (key === undefined) return undefined;
  if (id !== undefined && id !== key)
    throw lineError(line, 'its "id" and its "key" differ.', 'Both identify the edge: leave one out.');
  return checkShortText(key, 'The key');
}

function parseJsonLine(line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = reasonOf(error);
    throw lineError(line, `it is not JSON: ${reason}.`, 'Each line must be one JSON object.');
  }
}

function propsOf(line: number, { data = {} }: Members): Props {
  if (!isRecord(data)) throw memberError(line, 'data', 'an object of properties');
  return checkProps(data);
}

function tagsOf(line: number, value: unknown): string[] {
  const tags = strings(line, 'tags', value);
  for (const tag of tags) checkName(tag, 'A tag');
  return [...new Set(tags)];
}

function strings(line: number, key: string, value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string'))
    throw memberError(line, key, 'a list of strings');
  for (const text of value) checkText(text, key);
  return value;
}

function stringOf(line: number, value: Members, key: string): string {
  const found = value[key];
  if (typeof found !== 'string') throw memberError(line, key, 'a string');
  return found;
}

/** Null is absent, as in `data.id`. */
function optionalString(line: number, value: Members, key: string): string | undefined {
  return (value[key] ?? undefined) === undefined ? undefined : stringOf(line, value, key);
}

function optionalName(line: number, value: Members, key: string): string | undefined {
  return value[key] === undefined ? undefined : checkName(stringOf(line, value, key), key);
}

function memberError(line: number, key: string, wanted: string): Error {
  return lineError(line, `"${key}" must be ${wanted}.`, lineExamples);
}
