import type { Fragment, SqlParam } from './executor.js';

/**
 * A statement, or a piece of one. Values become parameters, and other pieces are put in where they stand:
 *
 *     const named = sql`r.name = ${name}`;
 *     executor.all(sql`select ${raw(columns)} from node_row r where ${named}`);
 */
export function sql<P = never>(
  texts: TemplateStringsArray,
  ...parts: readonly (Fragment<P | SqlParam> | SqlParam)[]
): Fragment<P | SqlParam> {
  if (areValues(parts)) return { sql: textAroundValues(texts), params: parts };
  let text = texts[0] ?? '';
  const params: (P | SqlParam)[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? null;
    if (isFragment(part)) {
      text += part.sql;
      for (const param of part.params) params.push(param);
    } else {
      text += '?';
      params.push(part);
    }
    text += texts[index + 1] ?? '';
  }
  return { sql: text, params };
}

export function param(value: SqlParam): Fragment {
  return { sql: '?', params: [value] };
}

/** Plain SQL: it must come from this program, never from outside. */
export function raw(text: string | number): Fragment {
  return { sql: String(text), params: [] };
}

export const emptySql = raw('');

export function joinSql<P>(parts: readonly Fragment<P>[], separator: string): Fragment<P> {
  return joinEnclosed(parts, '', separator, '');
}

/** True if there are no conditions. */
export function and<P>(conditions: readonly Fragment<P>[]): Fragment<P | SqlParam> {
  return conditions.length === 0 ? raw('true') : joinEnclosed(conditions, '(', ') and (', ')');
}

/** False if there are no conditions. */
export function or<P>(conditions: readonly Fragment<P>[]): Fragment<P | SqlParam> {
  return conditions.length === 0 ? raw('false') : joinEnclosed(conditions, '(', ') or (', ')');
}

function joinEnclosed<P>(
  parts: readonly Fragment<P>[],
  before: string,
  between: string,
  after: string,
): Fragment<P> {
  return {
    sql: before + parts.map((part) => part.sql).join(between) + after,
    params: parts.flatMap((part) => part.params),
  };
}

function isFragment<P>(part: Fragment<P> | SqlParam): part is Fragment<P> {
  return typeof part === 'object' && part !== null && 'sql' in part;
}

function areValues<P>(parts: readonly (Fragment<P> | SqlParam)[]): parts is readonly SqlParam[] {
  return !parts.some(isFragment);
}

/** One text object for each template: databases look statements up by it. */
const textsAroundValues = new WeakMap<TemplateStringsArray, string>();

function textAroundValues(texts: TemplateStringsArray): string {
  const known = textsAroundValues.get(texts);
  if (known !== undefined) return known;
  const text = texts.join('?');
  textsAroundValues.set(texts, text);
  return text;
}
