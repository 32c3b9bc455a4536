import type { EdgeListRequest, Fragment, SqlValue } from '../../sql/executor.js';
import type { StatementFailure } from '../statement-failure.js';

/** How a read process opens a database. */
export interface ReaderSource {
  /** A path, or a `file:` URL. */
  readonly path: string;
  readonly readOnly: boolean;
}

export type ReadRequest = StatementRequest | PrepareEdgesRequest;

interface StatementRequest {
  readonly id: number;
  readonly statement: Fragment;
}

/** Answered by one row, whose `prepared` says whether it was done. */
interface PrepareEdgesRequest {
  readonly id: number;
  readonly edges: EdgeListRequest;
}

export type StatementResponse = RowBatch | FailureResponse;

/** Rows column by column, which is faster to send than row by row. */
export interface RowBatch {
  readonly id: number;
  readonly columns: readonly string[];
  readonly values: readonly (readonly SqlValue[])[];
  readonly more: boolean;
}

interface FailureResponse {
  readonly id: number;
  readonly error: StatementFailure;
}
