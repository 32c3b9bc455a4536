import type { Source } from '../../src/language/source.js';
import type { SourceProblem } from '../../src/language/source-problem.js';
import { TrellisError } from '../../src/model/error.js';
import { checkQueries } from '../../src/query/check/check-query.js';
import type { GraphSchema } from '../../src/schema/graph/graph-schema.js';

/** What is wrong with a text of queries. */
export function problemsIn(source: Source, schema: GraphSchema | null): readonly SourceProblem[] {
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
