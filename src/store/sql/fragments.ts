import type { Order } from '../../model/order.js';
import type { Fragment, SqlParam } from './executor.js';
import { sql } from './sql.js';

/** Says nothing. */
export const emptyFragment: Fragment = sql``;

/** All of the conditions. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  let all = '';
  const values: SqlParam[] = [];
  for (const { sql, params } of conditions) {
    all += all === '' ? `(${sql})` : ` and (${sql})`;
    values.push(...params);
  }
  return { sql: all, params: values };
}

/** Rows `r` that come after a place in creation order. */
export function afterOrder(after: Order | undefined): Fragment[] {
  if (after === undefined) return [];
  return [sql`(r.order_seq, r.order_position) > (${after.seq}, ${after.position})`];
}

export function limitClause(limit: number | undefined): Fragment {
  return limit === undefined ? emptyFragment : sql`limit ${limit}`;
}
