import type { CompiledGraphSchema } from '../../write-validator.js';
import type { Dialect } from '../dialect.js';
import type { Executor, Fragment } from '../executor.js';

/** What a purge works on. */
export interface PurgeContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly graph: number;
  readonly secret: string;
  readonly compileGraphSchema: (source: string) => Promise<CompiledGraphSchema>;
}

/** The condition that a column holds the text, as it is or as JSON writes it. */
export function containsSecret(
  { dialect, secret }: Pick<PurgeContext, 'dialect' | 'secret'>,
  column: string,
): Fragment {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const test = `${dialect.positionFunction}(${column}, ?) > 0`;
  return escaped === secret
    ? { sql: test, params: [secret] }
    : { sql: `(${test} or ${test})`, params: [secret, escaped] };
}
