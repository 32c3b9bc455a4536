import { isRecord } from '../../model/is-record.js';
import type { Json } from '../../model/json.js';
import type { PropertyType } from '../registry/schema-registry.js';
import type { Claim } from './claim.js';
import { RejectedError } from './rejected-error.js';

/** Null removes a property and fits every type. */
export function checkPropertyTypes({ parts }: Claim): void {
  const mismatches = parts.flatMap(({ argument, values, entry }) =>
    Object.entries(values).flatMap(([property, value]) => {
      const types = entry?.property_types ?? {};
      const expected = Object.hasOwn(types, property) ? types[property] : undefined;
      if (expected === undefined || value === null || isOfType[expected](value)) return [];
      return [{ argument, property, expected, given: typeOf(value) }];
    }),
  );
  if (mismatches.length === 0) return;
  throw new RejectedError(
    'SCHEMA_TYPE_MISMATCH',
    `Not of the declared type: ${mismatches.map(({ property, expected, given }) => `${property} must be ${expected}, not ${given}`).join('; ')}.`,
    'Use values of these types; a datetime is a text like 2026-01-31T12:00:00Z.',
    { mismatches },
  );
}

const isOfType: Readonly<Record<PropertyType, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  float: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  datetime: isDatetime,
  list: (value) => Array.isArray(value),
  map: isRecord,
};

const isoDatetime =
  /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/** ISO 8601: an existing date, alone or with a time. */
function isDatetime(value: Json): boolean {
  const day = typeof value === 'string' ? isoDatetime.exec(value)?.[1] : undefined;
  if (day === undefined) return false;
  const parsed = new Date(`${day}T00:00:00Z`);
  // 30 February parses, as 1 or 2 March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  return typeof value === 'object' ? 'map' : typeof value;
}
