import type { Dialect } from '../dialect.js';
import type { Executor, Fragment } from '../executor.js';
import type { SchemaGuards } from '../write/schema-guards.js';

/** What a purge works on. */
export interface PurgeContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly graph: number;
  readonly secret: string;
  readonly guards: SchemaGuards;
}

/** The condition that a column holds the text, as it is or as JSON writes it. */
export function holds(
  { dialect, secret }: Pick<PurgeContext, 'dialect' | 'secret'>,
  column: string,
): Fragment {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const test = `${dialect.position}(${column}, ?) > 0`;
  return escaped === secret
    ? { sql: test, params: [secret] }
    : { sql: `(${test} or ${test})`, params: [secret, escaped] };
}
