import { z } from 'zod';

/** The schema of an object, as JSON Schema 2020-12. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/**
 * Derives the JSON Schema of what goes in or comes out, once and only when somebody asks: starting the server must not
 * wait for it. What goes in is open, since unknown arguments are passed over; what comes out is closed at every level.
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
