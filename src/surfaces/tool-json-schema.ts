import { z } from 'zod';
import type { ObjectJsonSchema } from '../model/json.js';

/**
 * Derived on first use, so that starting the server does not wait. Objects are closed at every level, unless they have
 * a catchall.
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

/** Enforced, but not advertised. */
const unadvertised = ['maxItems', 'minLength', 'maxLength', 'propertyNames'] as const;

/**
 * Keeps to what model providers take. Gemini adds up the `maxItems` of all tools and refuses too many; OpenAI's strict
 * mode refuses lengths, `propertyNames` and `default`, and wants closed objects. Descriptions name defaults instead.
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
  // Some providers know no oneOf.
  if (jsonSchema.oneOf !== undefined) {
    jsonSchema.anyOf = jsonSchema.oneOf;
    delete jsonSchema.oneOf;
  }
  // Equivalent, but some converters take an empty schema for "closed".
  const additional = jsonSchema.additionalProperties;
  if (typeof additional === 'object' && Object.keys(additional).length === 0)
    jsonSchema.additionalProperties = true;
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) jsonSchema.additionalProperties = false;
}
