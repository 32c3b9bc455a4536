import type { Json, Props } from '../../model/json.js';
import type { ValueType } from '../../model/value-type.js';
import type { NodeType } from '../graph/graph-schema.js';
import { parseValue } from '../graph/values/parse-value.js';

/** The key in a node's name, in canonical form; empty if the type has no key, or the name is not one. */
export function keyFromName({ key, properties }: NodeType, name: string): Props {
  const members = key ?? [];
  const said = members.length === 1 ? [name] : parseKeyList(name);
  if (members.length === 0 || said.length !== members.length) return {};
  const values: [string, Json][] = [];
  for (const [index, member] of members.entries()) {
    const type = properties.get(member)?.type;
    const value = said[index] ?? null;
    if (type === undefined) return {};
    const parsed = parseValue(type, members.length === 1 ? jsonFromText(type, name) : value);
    if ('reason' in parsed) return {};
    values.push([member, parsed.value]);
  }
  return Object.fromEntries(values);
}

/** A key is named by the text of its value. */
function jsonFromText(type: ValueType, text: string): Json {
  if (type.kind !== 'scalar') return text;
  switch (type.scalar) {
    case 'Bool':
      return text === 'true' || (text === 'false' ? false : null);
    case 'I32':
    case 'U32':
    case 'F32':
    case 'F64':
      return text.trim() === '' ? null : Number(text);
    default:
      return text;
  }
}

/** The name of a key of several properties is a JSON array. */
function parseKeyList(name: string): readonly Json[] {
  if (!name.startsWith('[')) return [];
  try {
    const list: unknown = JSON.parse(name);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
