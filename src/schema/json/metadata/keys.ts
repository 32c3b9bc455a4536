import type { NodeSchema } from '../node-schema.js';
import { titleCase } from '../title-case.js';

/** The keys of a schema's properties, kept since every call of its tools asks for them. */
const known = new WeakMap<NodeSchema, ReadonlyMap<string, string>>();

/** The key under which metadata holds a property, of the schema or not. */
export function keyOf(schema: NodeSchema, property: string): string {
  return keysOf(schema).get(property) ?? titleCase(property);
}

/** The key of each property of a schema, by its name. */
export function keysOf(schema: NodeSchema): ReadonlyMap<string, string> {
  const keys = known.get(schema) ?? new Map(schema.properties.map(({ name }) => [name, titleCase(name)]));
  known.set(schema, keys);
  return keys;
}
