import type { Json } from '../../../model/json.js';
import type { Fragment, SqlParam } from '../executor.js';

export type ParameterValue = string | number;

export interface ParameterSlot {
  readonly index: number;
  make(value: Json): SqlParam;
}

export type QueryFragment = Fragment<SqlParam | ParameterSlot>;

/** A value in a query, and its position among the values of a call if these may differ. */
export interface GivenValue {
  readonly value: Json;
  readonly parameter: number | undefined;
}

/** SQL for a given value. `make` must return the same text for every value that can take its place. */
export function givenSql({ value, parameter }: GivenValue, make: (value: Json) => Fragment): QueryFragment {
  const { sql, params } = make(value);
  if (parameter === undefined) return { sql, params };
  // All parameters of one value are made at once, since making one may take a hash.
  let last = { value, params };
  const paramsOf = (other: Json) => {
    if (other !== last.value) last = { value: other, params: make(other).params };
    return last.params;
  };
  return {
    sql,
    params: params.map((_, at) => ({ index: parameter, make: (other) => paramsOf(other)[at] ?? null })),
  };
}

export function bindValues({ sql, params }: QueryFragment, values: readonly ParameterValue[]): Fragment {
  return {
    sql,
    params: params.map((param) => (isSlot(param) ? param.make(values[param.index] ?? null) : param)),
  };
}

function isSlot(param: SqlParam | ParameterSlot): param is ParameterSlot {
  return typeof param === 'object' && param !== null && 'make' in param;
}
