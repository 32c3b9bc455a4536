import { parseGraphSchema } from '../graph/parse-graph-schema.js';
import { planSchemaChange } from '../graph/plan/plan-schema-change.js';

/** Whether two texts are one schema, set with other white space. */
export function isSameSchemaSource(stored: string | null, source: string): boolean {
  if (stored === null || stored === source) return stored === source;
  if (stripWhitespace(stored) !== stripWhitespace(source)) return false;
  // White space tells words and lines of comments apart, so what it separates is looked at too.
  const rows = { countRows: () => 1, countRowsWithValues: () => 0 };
  try {
    return planSchemaChange(parseGraphSchema(stored), parseGraphSchema(source), rows).steps.length === 0;
  } catch {
    // One of them is no schema at all.
    return false;
  }
}

function stripWhitespace(source: string): string {
  return source.replaceAll(/\s+/g, '');
}
