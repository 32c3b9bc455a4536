import type neo4jType from 'neo4j-driver';
import { isRecord } from '../model/is-record.js';
import type { Json } from '../model/json.js';

type Neo4j = typeof neo4jType;

/** JavaScript has one kind of number; Cypher has two, and 30 years are an integer. */
export function toBolt(neo4j: Neo4j, value: Json): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? neo4j.int(value) : value;
  if (Array.isArray(value)) return value.map((item) => toBolt(neo4j, item));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toBolt(neo4j, member)]));
  return value;
}

/** Integers beyond 2^53, times and points become text. */
export function fromBolt(neo4j: Neo4j, value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (neo4j.isInt(value)) return value.inSafeRange() ? value.toNumber() : value.toString();
  if (Array.isArray(value)) return value.map((item) => fromBolt(neo4j, item));
  if (neo4j.isDateTime(value)) return isoText(value.toString());
  if (value instanceof Int8Array) return Buffer.from(value).toString('base64');
  if (isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fromBolt(neo4j, member)]));
  return String(value);
}

/** `2026-01-01T00:00:00.123000000Z` as `Date` writes it. */
function isoText(text: string): string {
  return text.replace(/(\.\d{3})0{6}(?=Z|[+-])/, '$1').replace(/(?<=T\d{2}:\d{2}:\d{2})(?=Z|[+-])/, '.000');
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}
