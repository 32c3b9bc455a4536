import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Node, NodeId } from '../model/node.js';
import type { Violation } from '../model/violation.js';
import type { EdgeDraft, NodeDraft, PropertyToIndex } from './drafts.js';
import type { DerivedProperty } from './read-results.js';
import type { RowReader, RowWriter } from './writer.js';

/**
 * Validates one write to a graph that has a schema. A store reports what the write puts and removes, and asks at the end
 * what violates the schema; only the validator knows what a schema says.
 */
export interface WriteValidator {
  /** Nodes that are about to be put, and the versions they replace; returns them as the schema wants them stored. */
  prepareNodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly NodeDraft[];
  prepareEdges(drafts: readonly EdgeDraft[]): readonly EdgeDraft[];
  nodesRemoved(ids: readonly NodeId[]): void;
  edgesRemoved(edges: readonly (Edge | EdgeIdentity)[]): void;
  violations(reader: RowReader): Promise<readonly Violation[]>;
}

/** What a store has to know of a schema. */
export interface CompiledGraphSchema {
  /** Each write has a validator of its own. */
  newValidator(): WriteValidator;
  /** Migrates rows that were written under an earlier schema: renames, and defaults for what is missing. It drops nothing. */
  migrateRows(writer: RowWriter, earlier: string): Promise<void>;
  readonly indexedProperties: readonly PropertyToIndex[];
  /** The properties that follow from others. */
  readonly derivedProperties: readonly DerivedProperty[];
}
