import { z } from 'zod';
import type { ObjectJsonSchema } from '../model/json.js';

/**
 * Derives the JSON Schema of what goes in or comes out, once and only when somebody asks: starting the server must not
 * wait for it. Objects are closed at every level, unless they have a catchall.
 */
export function lazyJsonSchema(schema: z.ZodObject, direction: 'input' | 'output'): () => ObjectJsonSchema {
  let derived: ObjectJsonSchema | undefined;
  return () => {
    derived ??= deriveJsonSchema(schema, direction);
    return derived;
  };
}

function deriveJsonSchema(schema: z.ZodObject, direction: 'input' | 'output'): ObjectJsonSchema {
  const {
    $schema: _dialect,
    type: _object,
    ...rest
  } = z.toJSONSchema(schema, { io: direction, override: advertise });
  return { type: 'object', ...rest };
}

interface SchemaPair {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Bounds that are enforced and not advertised, and what some providers refuse to be told. */
const unadvertised = ['maxItems', 'minLength', 'maxLength', 'propertyNames'] as const;

/**
 * Says what language models' providers take. Gemini adds up the `maxItems` of all tools and refuses too many; OpenAI's
 * strict mode refuses lengths, `propertyNames` and `default`, and wants objects closed. A default is said in words instead.
 */
function advertise({ zodSchema, jsonSchema }: SchemaPair): void {
  for (const keyword of unadvertised) delete jsonSchema[keyword];
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.default !== undefined) {
    const { description, default: value } = jsonSchema;
    delete jsonSchema.default;
    if (description !== undefined && typeof value !== 'object')
      jsonSchema.description = `${description}; default: ${value}`;
  }
  // The same, but some converters take an empty schema for "closed".
  if (isEmptySchema(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true;
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) jsonSchema.additionalProperties = false;
}

function isEmptySchema(schema: z.core.JSONSchema.JSONSchema | boolean | undefined): boolean {
  return typeof schema === 'object' && Object.keys(schema).length === 0;
}
