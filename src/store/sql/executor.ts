/** What a bound parameter or a column can be. */
export type SqlValue = string | number | null;

/** One result row, by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Runs statements on one connection. Placeholders are `?`, in order. */
export interface Executor {
  all(sql: string, params?: readonly SqlValue[]): Promise<SqlRow[]>;
  /** Runs a statement and answers the number of rows it changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
  /** Inserts rows, in order. */
  insert(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Promise<void>;
}

/** A piece of SQL with the parameters for its placeholders. */
export interface Fragment {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}
