import type { Fragment, InsertOptions, SqlParam, SqlRow } from '../../sql/executor.js';
import type { StatementFailure } from '../statement-failure.js';

/** What the thread of a large write is sent, in order; it answers what has an id. */
export type WriteMessage = (WriteQuestion & { readonly id: number }) | WriteOrder;

export type WriteQuestion =
  | { readonly kind: 'all'; readonly statement: Fragment }
  /** Answered when everything before it is done. */
  | { readonly kind: 'flush' | 'begin' | 'commit' | 'rollback' };

/** If one fails, the next question is answered with its error. */
export type WriteOrder =
  | { readonly kind: 'exec'; readonly sql: string }
  | { readonly kind: 'run'; readonly statement: Fragment }
  | {
      readonly kind: 'insert';
      readonly table: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly SqlParam[])[];
      readonly options?: InsertOptions | undefined;
    }
  | { readonly kind: 'end' };

export type WriteAnswer =
  | { readonly id: number; readonly rows: readonly SqlRow[] }
  | { readonly id: number; readonly error: StatementFailure };
