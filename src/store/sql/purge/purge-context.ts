import type { CompiledGraphSchema } from '../../write-validator.js';
import type { GraphContext } from '../dialect.js';
import type { Fragment, SqlParam } from '../executor.js';
import { joinSql, raw, sql } from '../sql.js';

export interface PurgeContext extends GraphContext {
  readonly secret: string;
  readonly compileGraphSchema: (source: string) => Promise<CompiledGraphSchema>;
}

/** A column contains the text, as it is or as JSON escapes it. */
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

const purgedMark = '[purged]';

export function maskText(value: string, secret: string): string {
  return value.replaceAll(secret, () => purgedMark);
}

export function maskJson(stored: string | null, secret: string): string | null {
  return stored === null ? null : JSON.stringify(maskValue(JSON.parse(stored), secret));
}

function maskValue(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return maskText(value, secret);
  if (Array.isArray(value)) return value.map((member) => maskValue(member, secret));
  if (typeof value === 'number' && String(value).includes(secret)) return purgedMark;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [maskText(key, secret), maskValue(member, secret)]),
  );
}
