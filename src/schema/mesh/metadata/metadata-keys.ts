import type { MeshSchema } from '../mesh-schema.js';
import { titleCase } from '../title-case.js';

/** The keys of a schema's properties, kept since every call of its tools asks for them. */
const keyCache = new WeakMap<MeshSchema, ReadonlyMap<string, string>>();

/** The key under which metadata holds a property, of the schema or not. */
export function metadataKey(schema: MeshSchema, property: string): string {
  return metadataKeys(schema).get(property) ?? titleCase(property);
}

/**
 * The key that another spelling of it stands for: `currentLocation`, and `Currentlocation` as the original server wrote it
 * on updates, are `Current Location` if the schema has such a property.
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

/** The key of each property of a schema, by its name. */
export function metadataKeys(schema: MeshSchema): ReadonlyMap<string, string> {
  const keys = keyCache.get(schema) ?? new Map(schema.properties.map(({ name }) => [name, titleCase(name)]));
  keyCache.set(schema, keys);
  return keys;
}
