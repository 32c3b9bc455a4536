import type { TrellisError } from '../../model/error.js';
import type { ObjectSchema } from '../json-schema.js';
import { type Answer, jsonText } from '../tool.js';

const texts = { type: 'array', items: { type: 'string' } };

/** Closed, with everything required but what is named as optional. */
function closed(
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): ObjectSchema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

const failed = closed({
  error: { type: 'string', description: 'Why nothing was done' },
  context: closed({ tool: { type: 'string' }, code: { type: 'string' }, details: { type: 'object' } }),
  suggestions: { ...texts, description: 'What to do next' },
});

/**
 * The schema of everything a tool answers. Clients check `structuredContent` against it, some of them also when a call
 * failed, so it describes both.
 */
export function withOutcome(data: () => ObjectSchema): () => ObjectSchema {
  let schema: ObjectSchema | undefined;
  return () => {
    schema ??= { type: 'object', anyOf: [succeeded(data()), failed] };
    return schema;
  };
}

function succeeded(data: ObjectSchema): ObjectSchema {
  return closed(
    {
      data,
      actionTaken: { type: 'string', description: 'What was done' },
      timestamp: { type: 'string', description: 'When, in ISO 8601' },
      warnings: { ...texts, description: 'What was done but may not be meant' },
    },
    ['warnings'],
  );
}

/** What a tool answers that failed: `{error, context, suggestions}`. */
export function failure(error: TrellisError, tool: string): Answer {
  const { similar, ...details } = error.details ?? {};
  const structured = {
    error: error.message,
    context: { tool, code: error.code, details },
    suggestions: [...(error.hint === undefined ? [] : [error.hint]), ...didYouMean(similar)],
  };
  return { structured, text: [jsonText(structured)] };
}

function didYouMean(similar: unknown): string[] {
  if (!Array.isArray(similar) || similar.length === 0) return [];
  return [`Did you mean ${similar.map((name) => JSON.stringify(name)).join(' or ')}?`];
}
