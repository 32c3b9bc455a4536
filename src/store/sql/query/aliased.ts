import { joinSql, raw, sql } from '../sql.js';
import type { QueryFragment } from './parameter-slots.js';

/** Expressions with aliases: `a0`, `a1`, … */
export function aliased(expressions: readonly QueryFragment[], letter: string): QueryFragment {
  return joinSql(
    expressions.map((expression, index) => sql`${expression} as ${raw(`${letter}${index}`)}`),
    ', ',
  );
}
