import type { CompiledGraphSchema } from '../../write-validator.js';
import type { GraphContext } from '../dialect.js';
import type { Fragment, SqlParam } from '../executor.js';
import { joinSql, raw, sql } from '../sql.js';

/** What a purge works on. */
export interface PurgeContext extends GraphContext {
  readonly secret: string;
  readonly compileGraphSchema: (source: string) => Promise<CompiledGraphSchema>;
}

/** The condition that a column holds the text, as it is or as JSON writes it. */
export function containsSecret(
  { dialect, secret }: Pick<PurgeContext, 'dialect' | 'secret'>,
  column: string,
): Fragment {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const contains = (text: string) => sql`${raw(dialect.positionFunction)}(${raw(column)}, ${text}) > 0`;
  return escaped === secret ? contains(secret) : sql`(${contains(secret)} or ${contains(escaped)})`;
}

/** What goes between `set` and `where` of an update. */
export function assignments(columns: readonly string[], values: readonly SqlParam[]): Fragment {
  return joinSql(
    columns.map((column, index) => sql`${raw(column)} = ${values[index] ?? null}`),
    ', ',
  );
}
