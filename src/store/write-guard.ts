import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Node, NodeId } from '../model/node.js';
import type { Violation } from '../model/violation.js';
import type { DerivedProperty } from './answers.js';
import type { EdgeDraft, NodeDraft, PropertyToIndex } from './drafts.js';
import type { RowReader, RowWriter } from './writer.js';

/**
 * Watches one write to a graph that has a schema. A store tells it what the write puts and removes, and asks it at the end
 * what the schema has against the result; what a schema is, only the guard knows.
 */
export interface WriteGuard {
  /** Nodes that are about to be put, and the versions they replace; answers them as the schema wants them kept. */
  nodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly NodeDraft[];
  edges(drafts: readonly EdgeDraft[]): readonly EdgeDraft[];
  removedNodes(ids: readonly NodeId[]): void;
  removedEdges(edges: readonly (Edge | EdgeIdentity)[]): void;
  /** What is wrong with what was put, and with what was removed, in the state that the reader sees. */
  violations(reader: RowReader): Promise<readonly Violation[]>;
}

/** What a store has to know of a schema. */
export interface SchemaKeeper {
  /** Each write gets a guard of its own. */
  guard(): WriteGuard;
  /** Brings rows along that were written under an earlier schema: what was renamed, and what defaults fill. It drops nothing. */
  bringRows(writer: RowWriter, earlier: string): Promise<void>;
  /** The properties that are to be looked up by index. */
  readonly indexed: readonly PropertyToIndex[];
  /** The properties that follow from others. */
  readonly derived: readonly DerivedProperty[];
}

/** Turns the source of a schema into what keeps it; refuses one that is no schema. */
export type Guards = (source: string) => Promise<SchemaKeeper>;
