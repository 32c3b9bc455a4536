import type { NodeId } from '../model/node.js';
import type { Order } from '../model/order.js';

/** The bounds on one query. */
export interface QueryOptions {
  /** Default: `queryLimits.rows`. */
  readonly maxRows?: number | undefined;
  /** Characters of all rows together; default: `limits.answerLength`. */
  readonly maxLength?: number | undefined;
  /** In milliseconds, for each statement; default: the store's own. SQLite heeds it where reads run in threads of their own. */
  readonly timeLimit?: number | undefined;
}

/** Which texts a look-up by words is about. */
export interface TextLookupOptions {
  readonly limit: number;
  /** Only nodes of these types and their observations. */
  readonly types?: readonly string[] | undefined;
  /** Only this node and its observations. */
  readonly node?: NodeId | undefined;
}

/** The same, and whether a text has to have all of the words. */
export interface StemLookupOptions extends TextLookupOptions {
  /** Default: all. */
  readonly match?: 'all' | 'any' | undefined;
}

/** Some observations of one node. */
export interface OrdinalRange {
  readonly node: NodeId;
  readonly from: number;
  readonly to: number;
}

/** Properties a node can be looked up by. */
export type ScalarProps = Readonly<Record<string, string | number | boolean>>;

/** Which rejections to list. */
export interface RejectionPage {
  /** Only those of this time, in milliseconds since 1970, or later. */
  readonly since?: number | undefined;
  readonly code?: string | undefined;
  /** Only those with a lower id. */
  readonly before?: number | undefined;
  /** Default: 100. */
  readonly limit?: number | undefined;
}

export interface NodePage {
  readonly after?: Order | undefined;
  readonly limit?: number | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface EdgePage {
  readonly after?: Order | undefined;
  readonly limit?: number | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface TouchPage {
  /** Only what came before this touch. */
  readonly before?: { readonly seq: number; readonly node: NodeId } | undefined;
  readonly limit: number;
}

export interface CommitPage {
  /** Only commits with a lower seq. */
  readonly before?: number | undefined;
  readonly limit: number;
}
