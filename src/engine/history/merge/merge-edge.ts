import { defaultWeight, type Edge } from '../../../model/edge.js';
import { edgeToJson } from '../diff-json.js';
import { sameEdge } from '../graph-diff.js';
import { edgeConflictId, type Sides } from './conflict.js';
import type { ConflictResolver } from './conflict-resolver.js';
import { conflictValues, mergeProps, mergeProvenanceWithProps, mergeValue } from './merge-value.js';

/** The same edge created on both sides is one edge; a removed edge stays removed. */
export function mergeEdge(sides: Sides<Edge | null>, resolver: ConflictResolver): Edge | null {
  const { base, ours, theirs } = sides;
  if (sameEdge(ours, theirs) || sameEdge(theirs, base)) return ours;
  if (sameEdge(ours, base)) return theirs;
  if (ours === null || theirs === null) return resolveDeletedEdge(sides, resolver);
  const about = {
    kind: base === null ? 'divergent_insert' : 'divergent_update',
    id: edgeConflictId(ours),
  } as const;
  const was = base ?? { weight: defaultWeight, props: {}, provenance: null };
  const props = mergeProps({ base: was.props, ours: ours.props, theirs: theirs.props }, about, resolver);
  const weights = { base: was.weight, ours: ours.weight, theirs: theirs.weight };
  return {
    ...ours,
    weight: weights[mergeValue(weights, 'weight', about, resolver)],
    props,
    provenance: mergeProvenanceWithProps({ base: was, ours, theirs }, props),
  };
}

/** For conflicts about the edge as a whole; returns the winning side. */
export function resolveEdgeConflict(
  kind: 'delete_vs_update' | 'orphan_edge',
  { base, ours, theirs }: Sides<Edge | null>,
  resolver: ConflictResolver,
): 'source' | 'target' {
  const there = ours ?? theirs ?? base;
  if (there === null) return 'target';
  const [was, here, elsewhere] = [base, ours, theirs].map((edge) =>
    edge === null ? undefined : edgeToJson(edge),
  );
  return resolver.resolve({
    kind,
    id: edgeConflictId(there),
    ...conflictValues({ base: was, ours: here, theirs: elsewhere }),
  });
}

function resolveDeletedEdge(sides: Sides<Edge | null>, resolver: ConflictResolver): Edge | null {
  return resolveEdgeConflict('delete_vs_update', sides, resolver) === 'source' ? sides.theirs : sides.ours;
}
