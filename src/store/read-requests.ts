import type { Deadline } from '../bounds/deadline.js';
import type { EdgeIdentity } from '../model/edge.js';
import type { NodeId } from '../model/node.js';
import type { Order } from '../model/order.js';

export interface QueryOptions {
  /** Default: `queryLimits.rows`. */
  readonly maxRows?: number | undefined;
  /** Characters of all rows together; default: `limits.answerLength`. */
  readonly maxLength?: number | undefined;
  /** In milliseconds, for each statement; default: the store's own. SQLite obeys it only in read processes. */
  readonly timeLimit?: number | undefined;
}

export interface TextLookupOptions {
  readonly limit: number;
  readonly types?: readonly string[] | undefined;
  readonly node?: NodeId | undefined;
}

export interface StemLookupOptions extends TextLookupOptions {
  /** Default: all of the stems. */
  readonly match?: 'all' | 'any' | undefined;
}

export interface NodePairsRequest {
  readonly minScore: number;
  /** Returns what was found by then; default: no limit. */
  readonly deadline?: Deadline | undefined;
}

export interface MaintainPairsRequest {
  /** Pairs from this score on are found. */
  readonly minScore: number;
  /** When to end, so that others have their turn; call it again to go on. Left out, it only says whether to begin. */
  readonly deadline?: Deadline | undefined;
}

export interface OrdinalRange {
  readonly node: NodeId;
  readonly from: number;
  readonly to: number;
}

export type ScalarProps = Readonly<Record<string, string | number | boolean>>;

export interface RejectionPage {
  /** In milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly code?: string | undefined;
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface RowPage {
  readonly after?: Order | undefined;
  readonly limit?: number | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface NodePage extends RowPage {
  /** Only those that say where they come from. */
  readonly withProvenance?: boolean | undefined;
}

export interface LinkOptions {
  /** Only edges of this type. */
  readonly type?: string | undefined;
  /** Returns at least this many if there are more. */
  readonly limit?: number | undefined;
}

export interface TouchPage {
  readonly before?: { readonly seq: number; readonly node: NodeId } | undefined;
  readonly limit: number;
}

export interface CommitQuery {
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
  /** Only commits that touched this node, its observations or its edges. */
  readonly node?: NodeId | undefined;
}

/** The newest versions of a node, and all versions of its observations and of some of its edges. */
export interface VersionRequest {
  readonly node: NodeId;
  readonly edges: readonly EdgeIdentity[];
  readonly limit: number;
}

export interface CommitPage {
  readonly before?: number | undefined;
  readonly limit: number;
}
