import { isRecord } from '../model/is-record.js';
import { type Json, type Props, parseJsonOrUndefined } from '../model/json.js';
import { isStampField, type Provenance, type StampField, stampFieldNames } from '../model/provenance.js';

/** Where the keys of a node and the provenance of each property are kept, as JSON: properties hold no maps. */
export const provenanceProperty = '_provenance';

export interface StoredProperties {
  readonly properties: Props;
  /** Null if no gate has written it. */
  readonly provenance: Provenance | null;
  /** Which call wrote it last; undefined if no gate did. */
  readonly writeId: string | undefined;
  /** Different after every write of a gate. */
  readonly revision: string;
}

/** Takes the stamp of the gate out of what a database holds. */
export function parseStored(stored: Readonly<Record<string, Json>>): StoredProperties {
  const { [provenanceProperty]: kept, ...properties } = stored;
  const revision = typeof kept === 'string' ? kept : '';
  const parsed = parseJsonOrUndefined(revision);
  if (!isRecord(parsed)) return { properties, provenance: null, writeId: undefined, revision };
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !isStampField(name)));
  const { write, merge_keys, origins, properties: originOf, suspicious } = parsed;
  return {
    properties: own,
    provenance: {
      ...parseStamp(properties),
      ...(Array.isArray(merge_keys) ? { merge_keys: merge_keys.map(String) } : {}),
      ...suspiciousOf(suspicious),
      ...(isRecord(originOf) ? { properties: parseOrigins(originOf, origins) } : {}),
    },
    writeId: typeof write === 'string' ? write : undefined,
    revision,
  };
}

/**
 * The text of `_provenance`. Each call has another id, so that no two texts are the same. Most properties were set by the
 * same write: its provenance is in `origins` once, and each property has its number.
 */
export function provenanceText({ merge_keys, properties, suspicious }: Provenance, writeId: string): string {
  if (properties === undefined) return JSON.stringify({ write: writeId, merge_keys, suspicious });
  const origins = [...new Set(Object.values(properties).map((origin) => JSON.stringify(origin)))];
  const numbers = new Map(origins.map((origin, number) => [origin, number]));
  const originOf = Object.entries(properties).map(([name, origin]) => [
    name,
    numbers.get(JSON.stringify(origin)),
  ]);
  return JSON.stringify({
    ...{ write: writeId, merge_keys, suspicious },
    origins: origins.map((origin) => JSON.parse(origin)),
    properties: Object.fromEntries(originOf),
  });
}

export function stampOfProvenance(provenance: Provenance): Readonly<Partial<Record<StampField, Json>>> {
  return stampIn(provenance);
}

function stampIn(from: Readonly<Record<string, unknown>> | Provenance): Partial<Record<StampField, never>> {
  const found = Object.entries(from).filter(([name]) => stampFieldNames.some((field) => field === name));
  return Object.fromEntries(found);
}

/** Without what no gate writes: others may change the database, and must not block later writes. */
function parseStamp(stored: Readonly<Record<string, unknown>>): Partial<Record<StampField, never>> {
  return Object.fromEntries(
    Object.entries(stored).filter(([name, value]) => isStampField(name) && isStamped(name, value)),
  );
}

function isStamped(field: string, value: unknown): boolean {
  if (field === 'confidence') return typeof value === 'number' && value >= 0 && value <= 1;
  if (field === 'derived_from')
    return Array.isArray(value) && value.every((source) => typeof source === 'string');
  return typeof value === 'string' && (field !== 'last_updated' || !Number.isNaN(Date.parse(value)));
}

function suspiciousOf(given: unknown): Pick<Provenance, 'suspicious'> {
  return Array.isArray(given) ? { suspicious: given.map(String) } : {};
}

function parseOrigin(stored: unknown): Provenance | undefined {
  if (!isRecord(stored)) return undefined;
  const { suspicious, confirmed_by, ...stamp } = stored;
  return {
    ...parseStamp(stamp),
    ...suspiciousOf(suspicious),
    ...(Array.isArray(confirmed_by) ? { confirmed_by: confirmed_by.map(String) } : {}),
  };
}

/** Older gates wrote the provenance itself in the place of its number. */
function parseOrigins(
  originOf: Readonly<Record<string, unknown>>,
  origins: unknown,
): Record<string, Provenance> {
  const numbered = Array.isArray(origins) ? origins.map(parseOrigin) : [];
  return Object.fromEntries(
    Object.entries(originOf).flatMap(([name, given]) => {
      const origin = typeof given === 'number' ? numbered[given] : parseOrigin(given);
      return origin === undefined ? [] : [[name, origin]];
    }),
  );
}
