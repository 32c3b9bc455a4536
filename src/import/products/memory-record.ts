import { createHash } from 'node:crypto';
import { isRecord } from '../../model/is-record.js';
import { type Props, parseJsonOrUndefined } from '../../model/json.js';
import { isProps } from '../../store/jsonl/lines/line-keys.js';
import { type ImportedNode, type ImportPlace, importOrigin } from '../import-format.js';
import { shortId } from '../short-id.js';

/** A memory that is a text and has no name of its own. */
export interface MemoryRecord {
  readonly kind: string;
  readonly source: string;
  readonly place: ImportPlace;
  readonly id?: unknown;
  readonly title?: unknown;
  readonly type?: unknown;
  readonly summary?: string | undefined;
  readonly texts: readonly string[];
  readonly tags?: readonly string[];
  readonly props?: Readonly<Record<string, unknown>>;
  readonly time?: unknown;
}

/** Named by its title or first words, and by its short id, so that it keeps the name. */
export function memoryNode(record: MemoryRecord): ImportedNode {
  const { kind, source, place, id, title, type, summary, texts, tags = [], props = {}, time } = record;
  const [first = ''] = texts;
  const words = (text(title) ?? first).replaceAll(/\s+/g, ' ').trim().slice(0, 80).toWellFormed();
  const mark = text(id) ?? createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  return {
    ...{ kind: 'node', ...place, name: `${words} (${shortId(mark)})`, type: text(type) ?? 'memory' },
    ...(summary === undefined ? {} : { summary }),
    ...{ observations: texts, tags, props: knownProps(props), origin: importOrigin(kind, source, time) },
  };
}

/** A text with something in it; a number counts, since ids may be numbers. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function texts(...values: readonly unknown[]): string[] {
  return values.map(text).filter((value) => value !== undefined);
}

/** The texts of a list, also of one that is JSON or separated by commas. */
export function list(value: unknown): string[] {
  const given = typeof value === 'string' && value.startsWith('[') ? parseJsonOrUndefined(value) : value;
  if (Array.isArray(given)) return texts(...given);
  if (typeof given !== 'string') return [];
  return texts(...given.split(',').map((item) => item.trim()));
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  const given = typeof value === 'string' ? parseJsonOrUndefined(value) : value;
  return isRecord(given) ? given : {};
}

/** Without what is empty. */
function knownProps(values: Readonly<Record<string, unknown>>): Props {
  const known = Object.entries(values).filter(
    ([, value]) =>
      value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(known.flatMap(([key, value]) => Object.entries(isOne(key, value) ?? {})));
}

function isOne(key: string, value: unknown): Props | undefined {
  const one = { [key]: value };
  return isProps(one) ? one : undefined;
}
