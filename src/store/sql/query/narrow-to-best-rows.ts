import type { RowQuery, TextCondition } from '../../row-query.js';
import type { PrecomputedMatches } from './sql-scope.js';

/** With more rows, reading all of them is as fast. */
const maxNarrowedRows = 10_000;

export interface PreparedQuery {
  readonly query: RowQuery;
  readonly matches: PrecomputedMatches;
}

/** Extra rows to try first: other conditions may exclude some. */
const extraRows = 1_000;

/**
 * The same query, of only the rows that fit best by the words it is ordered by: all others come after them, so if these
 * fill the limit, they are the answer. Undefined where that does not hold or does not pay.
 */
export function narrowToBestRows({ query, matches }: PreparedQuery): PreparedQuery | undefined {
  const [first] = query.order;
  if (query.grouped || query.limit === null || first?.expression.kind !== 'bm25' || !first.descending)
    return undefined;
  // A rank depends on all rows.
  if ([...query.columns, ...query.order].some(({ expression }) => expression.kind === 'rrf'))
    return undefined;
  const { operand, text } = first.expression;
  // Only then nothing else orders rows that score the same.
  const byName = query.order.length === 1 && query.match.nodes[0]?.id === operand.variable;
  const scored = matches.scores.get(first.expression);
  const best = scored?.best(extraRows + query.limit, byName);
  if (best === undefined || best.size > maxNarrowedRows) return undefined;
  const rows = new Set(best.byRow.keys());
  const hasWord: TextCondition = { kind: 'search', operand, text, edits: null };
  return {
    query: { ...query, match: { ...query.match, conditions: [...query.match.conditions, hasWord] } },
    matches: {
      texts: new Map([...matches.texts, [hasWord, [...rows]]]),
      scores: new Map(
        [...matches.scores].map(([score, scores]) =>
          'operand' in score && score.operand.variable === operand.variable
            ? [score, score === first.expression ? best : scores.within(rows)]
            : [score, scores],
        ),
      ),
    },
  };
}
