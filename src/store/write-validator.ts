import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Node, NodeId } from '../model/node.js';
import type { Violation } from '../model/violation.js';
import type { EdgeDraft, NodeDraft, PropertyToIndex } from './drafts.js';
import type { DerivedProperty } from './read-results.js';
import type { RowReader } from './reader.js';
import type { RowWriter } from './writer.js';

export interface ValidatedNode {
  /** As the schema wants it stored: the same object if it already was so. */
  readonly draft: NodeDraft;
  /** Of the node by itself. */
  readonly violations: readonly Violation[];
  /** What it replaces; undefined if the node did not exist, or was a stub. */
  readonly old: Node | undefined;
}

/**
 * Validates one write to a graph with a schema. The store reports what the write puts and removes, and asks for the
 * violations at the end.
 */
export interface WriteValidator {
  /** Returns the nodes as the schema wants them stored; `before` are the versions they replace. */
  prepareNodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly NodeDraft[];
  /** Validates each node by itself, before it is put; `before` are the versions that they replace. */
  validateNodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly ValidatedNode[];
  /** For nodes that were validated earlier: `prepareNodes` does both. */
  nodesPut(nodes: readonly ValidatedNode[]): void;
  /** Types of nodes that are there, so that they need not be read to validate an edge. */
  nodesKnown(types: Iterable<readonly [NodeId, string]>): void;
  prepareEdges(drafts: readonly EdgeDraft[]): readonly EdgeDraft[];
  nodesRemoved(ids: readonly NodeId[]): void;
  edgesRemoved(edges: readonly (Edge | EdgeIdentity)[]): void;
  violations(reader: RowReader): Promise<readonly Violation[]>;
  /** See `Writer.settle`. */
  settle(reader: RowReader): Promise<void>;
}

export interface CompiledGraphSchema {
  /** One for each write. */
  newValidator(): WriteValidator;
  /** Migrates rows of an earlier schema: renames, and defaults for what is missing. It drops nothing. */
  migrateRows(writer: RowWriter, earlier: string): Promise<void>;
  readonly indexedProperties: readonly PropertyToIndex[];
  readonly derivedProperties: readonly DerivedProperty[];
}
