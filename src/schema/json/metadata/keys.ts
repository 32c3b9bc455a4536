import type { NodeSchema } from '../node-schema.js';
import { titleCase } from '../title-case.js';

/** The keys of a schema's properties, kept since every call of its tools asks for them. */
const known = new WeakMap<NodeSchema, ReadonlyMap<string, string>>();

/** The key under which metadata holds a property, of the schema or not. */
export function keyOf(schema: NodeSchema, property: string): string {
  return keysOf(schema).get(property) ?? titleCase(property);
}

/**
 * The key that another spelling of it stands for: `currentLocation`, and `Currentlocation` as the original server wrote it
 * on updates, are `Current Location` if the schema has such a property.
 */
export function keyMeant(schema: NodeSchema, spelt: string): string {
  const key = titleCase(spelt);
  const keys = [...keysOf(schema).values()];
  if (keys.includes(key)) return key;
  return keys.find((known) => letters(known) === letters(key)) ?? key;
}

function letters(key: string): string {
  return key.replaceAll(' ', '').toLowerCase();
}

/** The key of each property of a schema, by its name. */
export function keysOf(schema: NodeSchema): ReadonlyMap<string, string> {
  const keys = known.get(schema) ?? new Map(schema.properties.map(({ name }) => [name, titleCase(name)]));
  known.set(schema, keys);
  return keys;
}
