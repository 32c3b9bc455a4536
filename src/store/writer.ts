import type { ChangeCounts } from '../model/commit.js';
import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { NodeId, Observation } from '../model/node.js';
import type { Violation } from '../model/violation.js';
import type {
  EdgeDraft,
  IdentityDraft,
  KnownRows,
  NodeDraft,
  ObservationDraft,
  PropertyToIndex,
} from './drafts.js';
import type { DerivedProperty, Identity, TouchedItems } from './read-results.js';
import type { Reader, RowReader } from './reader.js';

/** A write, or the rehearsal of one. Its reads see its own changes. */
export interface RowWriter extends RowReader {
  /** Gives each (type, name) a node. The pair must not have one yet. */
  addIdentities(drafts: readonly IdentityDraft[]): Promise<Identity[]>;
  /** Writes new versions; a node that the branch does not show yet counts as created. */
  putNodes(drafts: readonly NodeDraft[], known?: KnownRows): Promise<void>;
  /**
   * Removes nodes with their observations and edges; returns those edges.
   * @param known The branch shows all of the nodes, and none of their edges any more.
   */
  removeNodes(ids: readonly NodeId[], known?: KnownRows): Promise<Edge[]>;
  /** Adds or replaces observations; returns them in the order given. */
  putObservations(drafts: readonly ObservationDraft[], known?: KnownRows): Promise<Observation[]>;
  /** @param known The branch shows all of them, here and below. */
  removeObservations(
    identities: readonly { readonly node: NodeId; readonly ordinal: number }[],
    known?: KnownRows,
  ): Promise<void>;
  putEdges(drafts: readonly EdgeDraft[], known?: KnownRows): Promise<void>;
  removeEdges(identities: readonly EdgeIdentity[], known?: KnownRows): Promise<void>;
  /**
   * Records that a merge left these as they are although the other branch differs. This decides about them as a change
   * would, so comparisons of histories must see it.
   */
  keep(touches: TouchedItems): Promise<void>;
  /**
   * Sets the schema of this branch from this commit on, or none. It applies to what the write puts from now on; for the
   * rest, call `violations('everything')`.
   */
  setSchema(source: string | null): Promise<void>;
  derivedProperties(): Promise<readonly DerivedProperty[]>;
  /** Migrates rows of an earlier schema, without losing anything. */
  migrateRows(earlier: string): Promise<void>;
  /**
   * Violations by what this write has put and removed so far; there must be none at its end. `everything`: by the whole
   * branch, at most about a thousand, and some rows may be put again.
   */
  violations(of?: 'written' | 'everything'): Promise<readonly Violation[]>;
}

export interface Writer extends Reader, RowWriter {
  readonly now: number;

  /**
   * Indexes properties for queries, at every commit and on every branch. Readers see no change; others cannot write to
   * the graph until the write ends.
   */
  indexProperties(properties: readonly PropertyToIndex[]): Promise<void>;

  /**
   * Validates what a large write has put so far, if there is much of it. What is valid need not stay in memory; what is not
   * is validated again at the end.
   */
  settle(): Promise<void>;

  /**
   * What others touched on this branch after a commit; undefined if it has merged another since, or is no longer the one that had the commit.
   */
  touchedSince(commit: string | null): Promise<TouchedItems | undefined>;

  /** See `Branch.purges`. What was read when there were fewer may hold a text that has been purged since. */
  readonly purges: number;

  readonly changes: ChangeCounts;
}
