import { parseGraphSchema } from '../pg/parse-graph-schema.js';
import { planSchema } from '../pg/plan/plan-schema.js';

/** Whether two texts are one schema, set with other white space. */
export function isSameSource(stored: string | null, source: string): boolean {
  if (stored === null || stored === source) return stored === source;
  if (withoutSpace(stored) !== withoutSpace(source)) return false;
  // White space tells words and lines of comments apart, so what it separates is looked at too.
  const rows = { rowsOf: () => 1, rowsHolding: () => 0 };
  try {
    return planSchema(parseGraphSchema(stored), parseGraphSchema(source), rows).steps.length === 0;
  } catch {
    // One of them is no schema at all.
    return false;
  }
}

function withoutSpace(source: string): string {
  return source.replaceAll(/\s+/g, '');
}
