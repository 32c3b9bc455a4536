import type { MeshSchema } from '../mesh-schema.js';
import { titleCase } from '../title-case.js';

/** Cached, because every tool call needs them. */
const keyCache = new WeakMap<MeshSchema, ReadonlyMap<string, string>>();

/** The metadata key of a property, declared or not. */
export function metadataKey(schema: MeshSchema, property: string): string {
  return metadataKeys(schema).get(property) ?? titleCase(property);
}

/**
 * Resolves another spelling of a key: `currentLocation`, and `Currentlocation` as the original server writes on updates,
 * become `Current Location` if the schema has such a property.
 */
export function resolveMetadataKey(schema: MeshSchema, spelt: string): string {
  const key = titleCase(spelt);
  const keys = [...metadataKeys(schema).values()];
  if (keys.includes(key)) return key;
  return keys.find((known) => foldKey(known) === foldKey(key)) ?? key;
}

function foldKey(key: string): string {
  return key.replaceAll(' ', '').toLowerCase();
}

export function metadataKeys(schema: MeshSchema): ReadonlyMap<string, string> {
  const keys = keyCache.get(schema) ?? new Map(schema.properties.map(({ name }) => [name, titleCase(name)]));
  keyCache.set(schema, keys);
  return keys;
}
