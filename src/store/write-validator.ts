import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Node, NodeId } from '../model/node.js';
import type { Violation } from '../model/violation.js';
import type { EdgeDraft, NodeDraft, PropertyToIndex } from './drafts.js';
import type { DerivedProperty } from './read-results.js';
import type { RowReader, RowWriter } from './writer.js';

/**
 * Watches one write to a graph that has a schema. A store tells it what the write puts and removes, and asks it at the end
 * what the schema has against the result; what a schema is, only the guard knows.
 */
export interface WriteValidator {
  /** Nodes that are about to be put, and the versions they replace; answers them as the schema wants them kept. */
  prepareNodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly NodeDraft[];
  prepareEdges(drafts: readonly EdgeDraft[]): readonly EdgeDraft[];
  nodesRemoved(ids: readonly NodeId[]): void;
  edgesRemoved(edges: readonly (Edge | EdgeIdentity)[]): void;
  /** What is wrong with what was put, and with what was removed, in the state that the reader sees. */
  violations(reader: RowReader): Promise<readonly Violation[]>;
}

/** What a store has to know of a schema. */
export interface CompiledGraphSchema {
  /** Each write gets a guard of its own. */
  writeValidator(): WriteValidator;
  /** Brings rows along that were written under an earlier schema: what was renamed, and what defaults fill. It drops nothing. */
  migrateRows(writer: RowWriter, earlier: string): Promise<void>;
  /** The properties that are to be looked up by index. */
  readonly indexedProperties: readonly PropertyToIndex[];
  /** The properties that follow from others. */
  readonly derivedProperties: readonly DerivedProperty[];
}

/** Turns the source of a schema into what keeps it; refuses one that is no schema. */
export type CompileGraphSchema = (source: string) => Promise<CompiledGraphSchema>;
