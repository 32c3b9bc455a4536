import type { Props } from '../model/json.js';
import type { RowQueryBlock } from '../store/row-query.js';

/*
 * The statements of a mutation in the form they are run: checked, every parameter given. Whether the values keep the rules
 * of the schema (ranges, patterns, uniqueness, cardinality) is seen when they are written.
 */

export type BoundStatement = InsertNode | InsertEdge | UpdateRows | DeleteRows;

/** A new node; of a type with a key, whatever else has its key is brought up to date instead. */
export interface InsertNode {
  readonly kind: 'insert-node';
  readonly type: string;
  /** On a graph without a schema: the name, which is the id. Null otherwise: the key is the id, or it gets a new one. */
  readonly name: string | null;
  /** Without those that are null. */
  readonly props: Props;
}

/** A new edge, between the nodes of these ids. */
export interface InsertEdge {
  readonly kind: 'insert-edge';
  /** As the schema spells it. */
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly props: Props;
}

/** Which rows a change is about. */
interface RowSelection {
  readonly of: 'node' | 'edge';
  readonly type: string;
  /**
   * What has to hold. Of nodes it has one variable; of edges two, for the nodes at their ends, and a hop between them that
   * binds the edge.
   */
  readonly match: RowQueryBlock;
  /** The id of the variable that means the rows. */
  readonly variable: string;
}

export interface UpdateRows extends RowSelection {
  readonly kind: 'update';
  /** What is set. */
  readonly set: Props;
  /** The properties that are taken away. */
  readonly unset: readonly string[];
}

export interface DeleteRows extends RowSelection {
  readonly kind: 'delete';
}
