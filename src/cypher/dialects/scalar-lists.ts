import { isRecord } from '../../model/is-record.js';
import type { Json } from '../../model/json.js';

/** For databases whose properties are scalars, or lists of scalars of one type. */
export function unlessScalarOrList(value: Json): string | undefined {
  if (isRecord(value)) return 'is a map';
  if (!Array.isArray(value)) return undefined;
  const kinds = new Set(value.map(kindOf));
  if (kinds.has('list')) return 'is a list of lists';
  if (kinds.has('map')) return 'is a list of maps';
  if (kinds.has('null')) return 'is a list with null';
  return kinds.size > 1 ? 'is a list of different types' : undefined;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return isRecord(value) ? 'map' : typeof value;
}
