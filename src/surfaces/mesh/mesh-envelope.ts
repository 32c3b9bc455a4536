import type { TrellisError } from '../../model/error.js';
import type { ObjectJsonSchema } from '../../model/json.js';
import { jsonText, type ToolOutput } from '../tool.js';

// Without descriptions: the list of tools repeats this for each of them.
const text = { type: 'string' };
const texts = { type: 'array', items: text };

function closedObject(
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): ObjectJsonSchema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

const failureSchema = closedObject({
  error: text,
  context: closedObject({ tool: text, code: text, details: { type: 'object' } }),
  suggestions: texts,
});

/** Covers failures too: some clients check `structuredContent` against it even then. */
export function envelopeSchema(data: () => ObjectJsonSchema): () => ObjectJsonSchema {
  let schema: ObjectJsonSchema | undefined;
  return () => {
    schema ??= { type: 'object', anyOf: [successSchema(data()), failureSchema] };
    return schema;
  };
}

function successSchema(data: ObjectJsonSchema): ObjectJsonSchema {
  return closedObject({ data, actionTaken: text, timestamp: text, warnings: texts }, ['warnings']);
}

export function meshToolFailure(error: TrellisError, tool: string): ToolOutput {
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
