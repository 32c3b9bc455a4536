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
  const best = bestRows(matches.scores.get(first.expression) ?? new Map(), extraRows + query.limit);
  if (best.size > maxNarrowedRows) return undefined;
  const hasWord: TextCondition = { kind: 'search', operand, text, edits: null };
  return {
    query: { ...query, match: { ...query.match, conditions: [...query.match.conditions, hasWord] } },
    matches: {
      texts: new Map([...matches.texts, [hasWord, [...best]]]),
      scores: new Map(
        [...matches.scores].map(([score, scores]) =>
          'operand' in score && score.operand.variable === operand.variable
            ? [score, new Map([...scores].filter(([row]) => best.has(row)))]
            : [score, scores],
        ),
      ),
    },
  };
}

function bestRows(scores: ReadonlyMap<number, number>, count: number): ReadonlySet<number> {
  if (scores.size <= count) return new Set(scores.keys());
  const least = Float64Array.from(scores.values()).sort()[scores.size - count] ?? 0;
  return new Set([...scores].flatMap(([row, score]) => (score >= least ? [row] : [])));
}
