/** What is left of an error on its way from another thread or process: an error itself would lose all but its message. */
export interface StatementFailure {
  readonly message: string;
  readonly code?: string;
  readonly errcode?: number;
}

export function toStatementFailure(thrown: unknown): StatementFailure {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  return {
    message: thrown.message,
    ...('code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {}),
    ...('errcode' in thrown && typeof thrown.errcode === 'number' ? { errcode: thrown.errcode } : {}),
  };
}

export function fromStatementFailure({ message, ...codes }: StatementFailure): Error {
  return Object.assign(new Error(message), codes);
}
