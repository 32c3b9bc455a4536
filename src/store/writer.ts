import type { ChangeCounts } from '../model/commit.js';
import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { NodeId, Observation } from '../model/node.js';
import type { Violation } from '../model/violation.js';
import type { EdgeDraft, IdentityDraft, NodeDraft, ObservationDraft, PropertyToIndex } from './drafts.js';
import type { DerivedProperty, Identity, TouchedItems } from './read-results.js';
import type { Reader } from './reader.js';

/** Reads that see the write's own changes, and the changes themselves. */
export interface Writer extends Reader {
  /** The time every row of this write is stamped with. */
  readonly now: number;

  /** Gives a (type, name) its node: the given one, or a new one. The pair must not have one yet. */
  addIdentities(drafts: readonly IdentityDraft[]): Promise<Identity[]>;

  /** Writes a new version of each node; one the branch does not see yet counts as created. */
  putNodes(drafts: readonly NodeDraft[]): Promise<void>;
  /** Removes nodes with their observations and every edge that touches them; answers those edges. */
  removeNodes(ids: readonly NodeId[]): Promise<Edge[]>;
  /** Adds or replaces observations; answers them with their ordinals, in the order given. */
  putObservations(drafts: readonly ObservationDraft[]): Promise<Observation[]>;
  removeObservations(
    identities: readonly { readonly node: NodeId; readonly ordinal: number }[],
  ): Promise<void>;
  putEdges(drafts: readonly EdgeDraft[]): Promise<void>;
  removeEdges(identities: readonly EdgeIdentity[]): Promise<void>;
  /**
   * Notes that a merge has looked at these and left them as they are on this branch, although the other one says
   * otherwise. That decides about them as a change would, so whatever compares histories must hear of it.
   */
  keep(touches: TouchedItems): Promise<void>;

  /**
   * Puts another schema in force on this branch from this commit on, or none. What the write puts from now on is held
   * against it; what is there already, the caller has to look at: `violations('everything')`.
   */
  setSchema(source: string | null): Promise<void>;
  /** The properties that, by the schema in force, are made of others. */
  derivedProperties(): Promise<readonly DerivedProperty[]>;
  /** Brings rows along that were written under an earlier schema, as far as nothing is lost by it. */
  migrateRows(earlier: string): Promise<void>;
  /**
   * What the schema in force has against what this write has put and removed so far, which has to be nothing at its end;
   * or against everything the branch has, of which the first thousand will do, and of which some may be put differently.
   */
  violations(of?: 'written' | 'everything'): Promise<readonly Violation[]>;

  /**
   * Has queries look these properties up in their order from now on, at every commit and on every branch. It changes
   * nothing that a reader sees, and keeps others from writing to the graph until the write ends.
   */
  indexProperties(properties: readonly PropertyToIndex[]): Promise<void>;

  /** What this write has changed so far. */
  readonly changes: ChangeCounts;
}

/** What a schema is held against. */
export type RowReader = Pick<
  Reader,
  | 'schema'
  | 'nodes'
  | 'stubs'
  | 'nodesById'
  | 'nodesNamed'
  | 'nodesMatching'
  | 'nodesWithValues'
  | 'identitiesNamed'
  | 'observationsOf'
  | 'edges'
  | 'edgesOf'
  | 'edgesByIdentity'
  | 'countEdgesFrom'
  | 'countsByType'
>;

/** What changes are made through: a write, or the rehearsal of one. */
export type RowWriter = RowReader &
  Pick<
    Writer,
    | 'addIdentities'
    | 'putNodes'
    | 'removeNodes'
    | 'putObservations'
    | 'removeObservations'
    | 'putEdges'
    | 'removeEdges'
    | 'keep'
    | 'setSchema'
    | 'derivedProperties'
    | 'migrateRows'
    | 'violations'
  >;
