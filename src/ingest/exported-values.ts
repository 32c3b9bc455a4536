import type { Json, Props } from '../model/json.js';
import type { ValueType } from '../model/value-type.js';
import { nodeKeyFromProps } from '../schema/enforce/key-from-props.js';
import type { EdgeType, NodeType } from '../schema/graph/graph-schema.js';
import { parseDateTime } from '../schema/graph/values/parse-date.js';

type Typed = Pick<NodeType | EdgeType, 'properties'>;

const zonelessForm = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;
const dayMs = 86_400_000;

/**
 * Properties as other programs export them, in our form: a Date may be a number of days since 1970, and a DateTime
 * without a zone is UTC. A DateTime gets its canonical form here, so that another spelling of a stored one is no change.
 * Anything else stays, to be validated. Returns the same object if nothing changes.
 */
export function propsFromExport({ properties }: Typed, props: Props): Props {
  let changed: Record<string, Json> | undefined;
  for (const name of Object.keys(props)) {
    const type = properties.get(name)?.type;
    const value = props[name];
    if (type === undefined || value === undefined || value === null) continue;
    const converted = valueFromExport(type, value);
    if (converted === value) continue;
    changed ??= { ...props };
    changed[name] = converted;
  }
  return changed ?? props;
}

function valueFromExport(type: ValueType, value: Json): Json {
  const scalar = type.kind === 'scalar' ? type.scalar : type.kind === 'list' ? type.of : undefined;
  if (scalar !== 'Date' && scalar !== 'DateTime') return value;
  const convert = scalar === 'Date' ? dateFromDays : utcTime;
  return Array.isArray(value) ? value.map(convert) : convert(value);
}

function dateFromDays(value: Json): Json {
  if (!Number.isInteger(value)) return value;
  const date = new Date(Number(value) * dayMs);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : value;
}

function utcTime(value: Json): Json {
  if (typeof value !== 'string') return value;
  const parsed = parseDateTime(zonelessForm.test(value) ? `${value}Z` : value);
  return 'value' in parsed ? parsed.value : value;
}

/**
 * The id of a node as its key's text. Other programs write the members of a key of several properties as strings:
 * `["a","7"]` means `["a",7]`. Returns what is not such an id as it is.
 */
export function idFromExport(type: NodeType, id: string): string {
  const { key, properties } = type;
  const [only, ...others] = key ?? [];
  if (key === null || only === undefined) return id;
  if (others.length === 0 && !isTime(properties.get(only)?.type)) return id;
  const members = others.length === 0 ? [id] : parseList(id);
  if (members?.length !== key.length) return id;
  const props = Object.fromEntries(
    key.map((name, index) => [name, memberFromText(properties.get(name)?.type, members[index] ?? null)]),
  );
  return nodeKeyFromProps(type, propsFromExport(type, props)).text ?? id;
}

function isTime(type: ValueType | undefined): boolean {
  return type?.kind === 'scalar' && (type.scalar === 'Date' || type.scalar === 'DateTime');
}

function memberFromText(type: ValueType | undefined, member: Json): Json {
  if (typeof member !== 'string' || type?.kind !== 'scalar') return member;
  switch (type.scalar) {
    case 'Bool':
      return member === 'true' || (member === 'false' ? false : member);
    case 'I32':
    case 'U32':
    case 'F32':
    case 'F64':
      return member.trim() === '' || Number.isNaN(Number(member)) ? member : Number(member);
    case 'Date':
      return /^-?\d+$/.test(member) ? Number(member) : member;
    default:
      return member;
  }
}

function parseList(text: string): readonly Json[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
