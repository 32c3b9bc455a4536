export type SqlValue = string | number | Uint8Array | null;

/** A list is one parameter. */
export type SqlParam = SqlValue | readonly SqlValue[];

export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface StatementOptions {
  /** The text comes from a caller: keeping all such statements prepared would fill the memory. */
  readonly adHoc?: boolean;
  /** There may be very many rows: others have their turns while they are read. */
  readonly large?: boolean;
  /** Finding a row takes several times as long as reading one, as comparing its text does. */
  readonly searches?: boolean;
}

export interface InsertOptions {
  /** Leaves out rows whose key is there already. */
  readonly missing?: boolean;
}

/** The edges of a type on the head of a branch. */
export interface EdgeListRequest {
  /** What `reachedNodes` of the dialect calls them. */
  readonly key: string;
  readonly graph: number;
  readonly branch: number;
  readonly type: string;
  /** The condition that row `e` of an edge is visible. */
  readonly visible: Fragment;
  /** Whether to read them if they are not in memory. */
  readonly load: boolean;
}

export interface Executor {
  /** Has edges in memory for the statements of this read, as its state has them; false if that is not possible. */
  prepareEdges?(request: EdgeListRequest): Promise<boolean>;
  all(statement: Fragment, options?: StatementOptions): Promise<SqlRow[]>;
  /** It may still be running when this returns: the next statement runs after it, and reports its error. */
  run(statement: Fragment): void;
  /** Inserts rows in order; returns as `run` does. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlParam[])[],
    options?: InsertOptions,
  ): void;
  /** Resolves when few of the rows that were sent wait in memory; called between chunks of a large write. */
  catchUp?(): Promise<void>;
}

/** A statement or a part of one, with the parameters for its `?`; see `sql`. */
export interface Fragment<P = SqlParam> {
  readonly sql: string;
  readonly params: readonly P[];
}
