import type { Fragment, SqlParam } from '../executor.js';

/**
 * A piece of SQL of smaller ones: what stands between is taken as it is, so it must come from this program; whatever came
 * from outside goes through `bind`.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Fragment | string)[]): Fragment {
  let text = texts[0] ?? '';
  const params: SqlParam[] = [];
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') text += part;
    else {
      text += part.sql;
      params.push(...part.params);
    }
    text += texts[index + 1] ?? '';
  }
  return { sql: text, params };
}

/** A value as a parameter. */
export function bind(value: SqlParam): Fragment {
  return { sql: '?', params: [value] };
}

/** SQL without parameters. */
export function raw(text: string): Fragment {
  return { sql: text, params: [] };
}

export function joined(parts: readonly Fragment[], separator: string): Fragment {
  return {
    sql: parts.map((part) => part.sql).join(separator),
    params: parts.flatMap((part) => part.params),
  };
}

/** All of the conditions; true if there are none. */
export function all(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? raw('true') : joined(conditions.map(inBrackets), ' and ');
}

export function any(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? raw('false') : joined(conditions.map(inBrackets), ' or ');
}

function inBrackets(part: Fragment): Fragment {
  return sql`(${part})`;
}
