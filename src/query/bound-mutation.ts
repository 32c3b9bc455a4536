import type { Props } from '../model/json.js';
import type { RowQueryBlock } from '../store/row-query.js';

/*
 * The statements of a mutation in the form they are run: checked, every parameter given. The write checks the rules of the
 * schema (ranges, patterns, uniqueness, cardinality).
 */

export type BoundStatement = InsertNode | InsertEdge | UpdateRows | DeleteRows;

/** A new node; if its type has a key and a node with that key exists, that node is updated instead. */
export interface InsertNode {
  readonly kind: 'insert-node';
  readonly type: string;
  /** Without a schema: the name, which is the id. Null otherwise: the id is the key, or a new one. */
  readonly name: string | null;
  /** Without nulls. */
  readonly props: Props;
}

export interface InsertEdge {
  readonly kind: 'insert-edge';
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly props: Props;
}

interface RowSelection {
  readonly of: 'node' | 'edge';
  readonly type: string;
  /** For nodes, one variable; for edges, a variable for each end and a hop that binds the edge. */
  readonly match: RowQueryBlock;
  readonly variable: string;
}

export interface UpdateRows extends RowSelection {
  readonly kind: 'update';
  readonly set: Props;
  readonly unset: readonly string[];
}

export interface DeleteRows extends RowSelection {
  readonly kind: 'delete';
}
