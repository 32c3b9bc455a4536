import type { Score } from '../../row-query.js';
import { joinSql, raw, sql } from '../sql.js';
import type { ColumnSql } from './column-sql.js';
import type { QueryFragment } from './parameter-slots.js';

import { operandSource, type SqlScope } from './sql-scope.js';

export function scoreColumn(scope: SqlScope, score: Score): ColumnSql {
  const key = scoreSql(scope, score);
  const own = { group: [key], order: () => [key], scored: true };
  if (score.kind !== 'bm25')
    return { ...own, values: [key], cell: ([value = null]) => (typeof value === 'number' ? value : null) };
  // The computed score, not the one a database has rounded.
  const scores = scope.matches.scores.get(score);
  return {
    ...own,
    values: [raw(`${scope.alias(score.operand.variable)}.row`)],
    cell: ([row = null]) => (typeof row === 'number' ? (scores?.get(row) ?? 0) : null),
  };
}

function scoreSql(scope: SqlScope, score: Score): QueryFragment {
  switch (score.kind) {
    case 'nearest': {
      const place = operandSource(scope, score.operand);
      return place.kind === 'json'
        ? scope.queryDialect.cosineDistance(place.source, score.vector)
        : raw('null');
    }
    case 'bm25':
      return raw(`coalesce(${scope.scoreTable(score)}.place, 0)`);
    case 'rrf':
      return joinSql(
        score.arms.map((arm) => {
          const rank = rankSql(scope, arm);
          return sql`coalesce(cast(1 as double precision) / (${raw(String(score.k))} + ${rank}), 0)`;
        }),
        ' + ',
      );
  }
}

function rankSql(scope: SqlScope, arm: Score): QueryFragment {
  const key = scoreSql(scope, arm);
  const worse = arm.kind === 'nearest' ? 'asc' : 'desc';
  const rated = arm.kind === 'nearest' ? sql`${key} is not null` : sql`${key} > 0`;
  const alias = arm.kind === 'rrf' ? null : scope.alias(arm.operand.variable);
  const ids =
    alias === null
      ? ''
      : `, ${alias}.name${scope.queryDialect.byCodePoint}, ${alias}.type${scope.queryDialect.byCodePoint}`;
  return sql`(case when ${rated} then dense_rank() over (order by ${key} ${raw(worse)} nulls last${raw(ids)}) end)`;
}
