import { z } from 'zod';
import type { ObjectSchema } from '../model/json-schema.js';

export type { ObjectSchema };

/**
 * Derives the JSON Schema of what goes in or comes out, once and only when somebody asks: starting the server must not
 * wait for it. What goes in is open where unknown arguments are passed over; what comes out is closed at every level.
 */
export function lazySchema(schema: z.ZodObject, direction: 'input' | 'output'): () => ObjectSchema {
  let derived: ObjectSchema | undefined;
  return () => {
    derived ??= derive(schema, direction);
    return derived;
  };
}

function derive(schema: z.ZodObject, direction: 'input' | 'output'): ObjectSchema {
  const { $schema: _dialect, type: _object, ...rest } = z.toJSONSchema(schema, { io: direction });
  return { type: 'object', ...rest };
}
