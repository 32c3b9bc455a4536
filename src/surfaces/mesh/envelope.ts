import type { TrellisError } from '../../model/error.js';
import type { ObjectSchema } from '../json-schema.js';
import { type Answer, jsonText } from '../tool.js';

// Without descriptions: the list of tools has this for each of them, and its length is what a list costs.
const text = { type: 'string' };
const texts = { type: 'array', items: text };

/** Closed, with everything required but what is named as optional. */
function closed(
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): ObjectSchema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

const failed = closed({
  error: text,
  context: closed({ tool: text, code: text, details: { type: 'object' } }),
  suggestions: texts,
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
  return closed({ data, actionTaken: text, timestamp: text, warnings: texts }, ['warnings']);
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
