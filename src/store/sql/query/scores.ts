import type { Score } from '../../row-query.js';
import type { Fragment } from '../executor.js';
import type { ColumnSql } from './columns.js';
import { placeOf, type Scope } from './scope.js';
import { joined, raw, sql } from './sql.js';

/** How well a row fits; a row that cannot be judged has none. */
export function scoreColumn(scope: Scope, score: Score): ColumnSql {
  const key = scoreSql(scope, score);
  const own = { group: [key], order: () => [key], scored: true };
  if (score.kind !== 'bm25')
    return { ...own, values: [key], cell: ([value = null]) => (typeof value === 'number' ? value : null) };
  // The figure as it was computed, not as a database reads it.
  const scores = scope.findings.scores.get(score);
  return {
    ...own,
    values: [raw(`${scope.alias(score.operand.variable)}.row`)],
    cell: ([row = null]) => (typeof row === 'number' ? (scores?.get(row) ?? 0) : null),
  };
}

function scoreSql(scope: Scope, score: Score): Fragment {
  switch (score.kind) {
    case 'nearest': {
      const place = placeOf(scope, score.operand);
      return place.kind === 'json' ? scope.json.cosineDistance(place.source, score.vector) : raw('null');
    }
    case 'bm25':
      return raw(`coalesce(${scope.scoreTable(score)}.place, 0)`);
    case 'rrf':
      return joined(
        score.arms.map((arm) => {
          const rank = rankSql(scope, arm);
          return sql`coalesce(cast(1 as double precision) / (${String(score.k)} + ${rank}), 0)`;
        }),
        ' + ',
      );
  }
}

/** The place of a row's node by one score among those that have one. */
function rankSql(scope: Scope, arm: Score): Fragment {
  const key = scoreSql(scope, arm);
  const worse = arm.kind === 'nearest' ? 'asc' : 'desc';
  const rated = arm.kind === 'nearest' ? sql`${key} is not null` : sql`${key} > 0`;
  const alias = arm.kind === 'rrf' ? null : scope.alias(arm.operand.variable);
  const ids =
    alias === null ? '' : `, ${alias}.name${scope.json.byCodePoint}, ${alias}.type${scope.json.byCodePoint}`;
  return sql`(case when ${rated} then dense_rank() over (order by ${key} ${worse} nulls last${ids}) end)`;
}
