import type { SourceProblem } from '../language/problem.js';
import type { Source } from '../language/source.js';
import { TrellisError } from '../model/error.js';
import type { GraphSchema } from '../schema/pg/graph-schema.js';
import { checkQueries } from './check/check-query.js';

/** Why a text of queries, which is fine so far, would no longer be with another schema; nothing if it still were. */
export function breaks(source: Source, schema: GraphSchema | null): readonly SourceProblem[] {
  try {
    checkQueries(source, schema);
    return [];
  } catch (thrown) {
    if (thrown instanceof TrellisError && thrown.code === 'QUERY_INVALID') return problemsOf(thrown);
    throw thrown;
  }
}

function problemsOf({ message, details }: TrellisError): readonly SourceProblem[] {
  const problems: unknown = details?.['problems'];
  return Array.isArray(problems) ? problems : [{ code: 'invalid', line: 1, column: 1, message }];
}
