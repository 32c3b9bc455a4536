/** A JSON Schema, as far as the tools use it. */
export interface Described {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Described;
  readonly items?: Described;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Described[];
  readonly format?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly contentEncoding?: string;
  readonly description?: string;
}

/** Arguments of a described kind, with those alone that are required; lists hold one item, or as many as they must. */
export function exampleOf(schema: Described): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0]);
  const type = typesOf(schema)[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return textOf(schema);
  }
}

export function typesOf({ type, anyOf = [] }: Described): readonly string[] {
  return [
    ...(Array.isArray(type) ? type : type === undefined ? [] : [String(type)]),
    ...anyOf.flatMap(typesOf),
  ];
}

function textOf({ format, contentEncoding }: Described): string {
  if (format === 'date') return '2026-01-31';
  if (format === 'date-time') return '2026-01-31T10:00:00Z';
  return contentEncoding === 'base64' ? 'AAAA' : 'text';
}

/** An object in example arguments, and what describes it. */
export interface DescribedObject {
  readonly schema: Described;
  readonly value: Record<string, unknown>;
}

/** The objects in example arguments that have a fixed set of members, the outermost first. */
export function objectsIn(schema: Described, value: unknown): readonly DescribedObject[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(schema.items ?? {}, item));
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return [];
  const members: Record<string, unknown> = Object.assign(value);
  return [
    { schema, value: members },
    ...Object.entries(schema.properties).flatMap(([name, described]) => objectsIn(described, members[name])),
  ];
}
