import type { Fragment, SqlValue } from '../../sql/executor.js';

/** Which database a reading process opens, and how. */
export interface ReaderSource {
  /** A path, or a `file:` URL. */
  readonly path: string;
  readonly readOnly: boolean;
}

/** A statement to run. */
export interface StatementRequest {
  readonly id: number;
  readonly statement: Fragment;
}

/** A portion of the rows of a statement, or why there are none. */
export type StatementResponse = RowBatch | StatementFailure;

/** Rows column by column, which is sent faster than row by row: the names of the columns once, and lists of alike values. */
export interface RowBatch {
  readonly id: number;
  readonly columns: readonly string[];
  /** A list for each column. */
  readonly values: readonly (readonly SqlValue[])[];
  /** More rows follow. */
  readonly more: boolean;
}

export interface StatementFailure {
  readonly id: number;
  /** What of an error is looked at elsewhere; errors lose all but their message on the way. */
  readonly error: { readonly message: string; readonly code?: string; readonly errcode?: number };
}
