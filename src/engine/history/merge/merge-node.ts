import type { Node, Observation } from '../../../model/node.js';
import type { DerivedProperty } from '../../../store/read-results.js';
import { nodeToJson } from '../diff-json.js';
import { type NodeState, sameNode, sameObservation } from '../graph-diff.js';
import { nodeConflictId, type Sides } from './conflict.js';
import type { ConflictResolver } from './conflict-resolver.js';
import { onlyDerivedChanged } from './merge-derived-properties.js';
import {
  type ConflictSubject,
  conflictValues,
  mergeProps,
  mergeProvenance,
  mergeProvenanceWithProps,
  mergeTags,
  mergeValue,
} from './merge-value.js';

const noObservations: NodeState['observations'] = [];

/** Merges property by property and observation by observation; null if the node is gone. */
export function mergeNode(
  sides: Sides<NodeState | null>,
  resolver: ConflictResolver,
  derived: readonly DerivedProperty[] = [],
): NodeState | null {
  const { base, ours, theirs } = sides;
  if (ours === base) return theirs;
  if (sameNode(ours, theirs) || sameNode(theirs, base)) return ours;
  if (sameNode(ours, base)) return theirs;
  if (ours === null || theirs === null) {
    const isAlone = onlyDerivedChanged(base, ours ?? theirs, derived);
    return isAlone ? null : resolveDeletedNode(sides, resolver);
  }
  const kind = base === null ? 'divergent_insert' : 'divergent_update';
  const about = { kind, id: nodeConflictId(ours.node) } as const;
  return {
    node: mergeNodeRow(
      { base: base?.node ?? emptyLike(ours.node), ours: ours.node, theirs: theirs.node },
      about,
      resolver,
      derived,
    ),
    observations: mergeObservations(
      { base: base?.observations ?? noObservations, ours: ours.observations, theirs: theirs.observations },
      about,
      resolver,
    ),
  };
}

function resolveDeletedNode(sides: Sides<NodeState | null>, resolver: ConflictResolver): NodeState | null {
  const { base, ours, theirs } = sides;
  const there = ours ?? theirs ?? base;
  if (there === null) return null;
  const [was, here, elsewhere] = [base, ours, theirs].map((state) =>
    state === null ? undefined : nodeToJson(state),
  );
  const take = resolver.resolve({
    kind: 'delete_vs_update',
    id: nodeConflictId(there.node),
    ...conflictValues({ base: was, ours: here, theirs: elsewhere }),
  });
  return take === 'source' ? theirs : ours;
}

function mergeNodeRow(
  sides: Sides<Node>,
  about: ConflictSubject,
  resolver: ConflictResolver,
  derived: readonly DerivedProperty[],
): Node {
  const { base, ours, theirs } = sides;
  const pick = (property: 'type' | 'name' | 'summary') =>
    sides[
      mergeValue(
        { base: base[property], ours: ours[property], theirs: theirs[property] },
        property,
        about,
        resolver,
      )
    ];
  const summarised = pick('summary');
  const { type } = pick('type');
  const props = mergeProps(
    { base: base.props, ours: ours.props, theirs: theirs.props },
    about,
    resolver,
    derived.filter((one) => one.type === type),
  );
  return {
    ...ours,
    type,
    name: pick('name').name,
    summary: summarised.summary,
    summaryUpdatedAt: summarised.summaryUpdatedAt,
    tags: mergeTags({ base: base.tags, ours: ours.tags, theirs: theirs.tags }),
    props,
    provenance: mergeProvenanceWithProps(sides, props),
  };
}

/** By ordinal. Added ones are all kept: two branches never assign the same ordinal. */
function mergeObservations(
  sides: Sides<readonly Observation[]>,
  about: ConflictSubject,
  resolver: ConflictResolver,
): Observation[] {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(
    (observations) => new Map(observations.map((observation) => [observation.ordinal, observation])),
  );
  const ordinals = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])]);
  return [...ordinals]
    .sort((a, b) => a - b)
    .flatMap((ordinal) => {
      const versions = { base: base?.get(ordinal), ours: ours?.get(ordinal), theirs: theirs?.get(ordinal) };
      return mergeObservation(versions, `observations.${ordinal}`, about, resolver) ?? [];
    });
}

function mergeObservation(
  { base, ours, theirs }: Sides<Observation | undefined>,
  property: string,
  { kind, id }: ConflictSubject,
  resolver: ConflictResolver,
): Observation | undefined {
  if (sameObservation(ours, theirs) || sameObservation(theirs, base)) return ours;
  if (sameObservation(ours, base)) return theirs;
  // The same text from another source: see mergeProvenance.
  if (ours !== undefined && theirs !== undefined && ours.text === theirs.text) {
    const provenance = mergeProvenance({
      base: base?.provenance ?? null,
      ours: ours.provenance,
      theirs: theirs.provenance,
    });
    return { ...ours, provenance };
  }
  const removed = ours === undefined || theirs === undefined;
  const take = resolver.resolve({
    ...{ kind: removed ? 'delete_vs_update' : kind, id, property },
    ...conflictValues({ base: base?.text, ours: ours?.text, theirs: theirs?.text }),
  });
  return take === 'source' ? theirs : ours;
}

/** The common start of a node that both created. */
function emptyLike(node: Node): Node {
  return { ...node, summary: null, summaryUpdatedAt: null, tags: [], props: {}, provenance: null };
}
