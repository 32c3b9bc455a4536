import { isRecord } from '../model/is-record.js';
import type { Json } from '../model/json.js';

/** Parameters travel in front of the query, as literals that whoever sends them has to write. */
export function parameterHeader(parameters: Readonly<Record<string, Json>> = {}): string {
  const given = Object.entries(parameters).map(([name, value]) => `${name}=${toLiteral(value)}`);
  return given.length === 0 ? '' : `CYPHER ${given.join(' ')} `;
}

function toLiteral(value: Json): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value === 'number') return numberLiteral(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `${keyLiteral(key)}: ${toLiteral(member)}`);
  return `{${members.join(', ')}}`;
}

/** Integers beyond 2^53 are floats, as in JavaScript. */
function numberLiteral(value: number): string {
  const text = String(value);
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`;
}

function keyLiteral(key: string): string {
  // Checked before, by the dialect; a backtick here would end the name.
  if (key.includes('`')) throw new Error('A name with a backtick cannot be sent to FalkorDB.');
  return `\`${key}\``;
}

/** The types of values in a compact reply. */
const valueTypes = { null: 1, string: 2, integer: 3, boolean: 4, double: 5, array: 6, map: 10 } as const;

export function fromCompact(value: unknown): Json {
  if (!Array.isArray(value)) return null;
  const [type, content]: readonly unknown[] = value;
  switch (type) {
    case valueTypes.null:
      return null;
    case valueTypes.integer:
      return Number(content);
    case valueTypes.boolean:
      return content === 'true' || content === true;
    case valueTypes.double:
      return Number(content);
    case valueTypes.array:
      return Array.isArray(content) ? content.map(fromCompact) : [];
    case valueTypes.map:
      return fromPairs(content);
    default:
      return typeof content === 'string' ? content : JSON.stringify(isRecord(content) ? content : [content]);
  }
}

function fromPairs(content: unknown): Json {
  if (!Array.isArray(content)) return {};
  const pairs: [string, Json][] = [];
  for (let at = 0; at + 1 < content.length; at += 2)
    pairs.push([String(content[at]), fromCompact(content[at + 1])]);
  return Object.fromEntries(pairs);
}
