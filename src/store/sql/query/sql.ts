import type { Fragment, SqlParam } from '../executor.js';

/**
 * A piece of SQL of smaller ones: what stands between is taken as it is, so it must come from this program; whatever came
 * from outside goes through `bind`.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Fragment | string)[]): Fragment {
  let text = texts[0] ?? '';
  let params: readonly SqlParam[] = none;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (typeof part === 'string') text += part;
    else if (part !== undefined) {
      text += part.sql;
      params = concatParams(params, part.params);
    }
    text += texts[index + 1] ?? '';
  }
  return { sql: text, params };
}

const none: readonly SqlParam[] = [];

/** Most pieces have no parameters, or are the only ones that do. */
function concatParams(a: readonly SqlParam[], b: readonly SqlParam[]): readonly SqlParam[] {
  if (b.length === 0) return a;
  return a.length === 0 ? b : a.concat(b);
}

/** A value as a parameter. */
export function param(value: SqlParam): Fragment {
  return { sql: '?', params: [value] };
}

/** SQL without parameters. */
export function raw(text: string): Fragment {
  return { sql: text, params: none };
}

export function joinFragments(parts: readonly Fragment[], separator: string): Fragment {
  return joinEnclosed(parts, '', separator, '');
}

/** All of the conditions; true if there are none. */
export function all(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? raw('true') : joinEnclosed(conditions, '(', ') and (', ')');
}

export function any(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? raw('false') : joinEnclosed(conditions, '(', ') or (', ')');
}

function joinEnclosed(parts: readonly Fragment[], before: string, between: string, after: string): Fragment {
  let text = before;
  let params = none;
  let first = true;
  for (const part of parts) {
    text += first ? part.sql : between + part.sql;
    params = concatParams(params, part.params);
    first = false;
  }
  return { sql: text + after, params };
}
