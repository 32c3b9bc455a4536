import { parseGraphSchema } from '../graph/parse-graph-schema.js';
import { planSchemaChange } from '../graph/plan/plan-schema-change.js';

/** Ignores white space where it has no meaning. */
export function isSameSchemaSource(stored: string | null, source: string): boolean {
  if (stored === null || stored === source) return stored === source;
  if (stripWhitespace(stored) !== stripWhitespace(source)) return false;
  // White space separates words and ends comments, so the parsed schemas are compared too.
  const rows = { countRows: () => 1, countRowsWithValues: () => 0 };
  try {
    return planSchemaChange(parseGraphSchema(stored), parseGraphSchema(source), rows).steps.length === 0;
  } catch {
    // One of them is not a valid schema.
    return false;
  }
}

function stripWhitespace(source: string): string {
  return source.replaceAll(/\s+/g, '');
}
