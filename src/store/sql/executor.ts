/** What a bound parameter or a column can be. */
export type SqlValue = string | number | Uint8Array | null;

/** What can be bound: a value, or a list of them as one parameter. */
export type SqlParam = SqlValue | readonly SqlValue[];

/** One result row, by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** How a statement is run. */
export interface StatementOptions {
  /** Whoever asks makes the text up: keeping all of them prepared, as the statements of this program are, would fill the memory. */
  readonly adHoc?: boolean;
  /** It may answer very many rows: others have their turns while they are read. */
  readonly large?: boolean;
}

/** Runs statements on one connection. */
export interface Executor {
  all(statement: Fragment, options?: StatementOptions): Promise<SqlRow[]>;
  /**
   * Runs a statement that answers nothing. It may still be on its way when this returns: what is asked next is run after
   * it, and reports its error.
   */
  run(statement: Fragment): void;
  /** Inserts rows, in order; returns as `run` does. */
  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlParam[])[]): void;
}

/** A statement or a piece of one, with the parameters for its placeholders `?`, in order; see `sql`. */
export interface Fragment<P = SqlParam> {
  readonly sql: string;
  readonly params: readonly P[];
}
