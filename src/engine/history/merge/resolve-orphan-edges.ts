import { filterYielding, forEachYielding } from '../../../bounds/yielding-loops.js';
import { type Edge, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import type { RowReader } from '../../../store/reader.js';
import { type NodeState, readEdges, readNodeStates } from '../graph-diff.js';
import type { Sides } from './conflict.js';
import type { ConflictResolver } from './conflict-resolver.js';
import { resolveEdgeConflict } from './merge-edge.js';
import type { MergeDraft, MergedItem } from './three-way-merge.js';

interface OrphanEdge {
  readonly key: string;
  readonly edge: MergedItem<Edge>;
  /** Ends that would not exist. */
  readonly missing: readonly NodeId[];
}

/**
 * Decides about edges that one side added to a node the other side removed: the edge and its end stay, or both go. An
 * end that is a stub on either side is fine: a stub is all it needs.
 */
export async function resolveOrphanEdges(
  states: Sides<RowReader>,
  draft: MergeDraft,
  resolver: ConflictResolver,
): Promise<void> {
  await addEdgesOfRemovedNodes(states, draft);
  const fragile = await filterYielding(
    draft.edges,
    ([, { ours, result }]) => result !== null && mayBeOrphan(ours, result, draft),
  );
  if (fragile.length === 0) return;
  const ends = new Set<NodeId>();
  await forEachYielding(fragile, ([, { result }]) => {
    for (const end of endsOf(result)) ends.add(end);
  });
  const nodes = await remainingEnds(states, draft, [...ends]);
  const orphans: OrphanEdge[] = [];
  await forEachYielding(fragile, ([key, edge]) => {
    const missing = endsOf(edge.result).filter((end) => !nodes.has(end));
    if (missing.length > 0) orphans.push({ key, edge, missing });
  });
  if (orphans.length === 0) return;
  const lost = await readNodeStates(states.theirs, [...new Set(orphans.flatMap(({ missing }) => missing))]);
  for (const orphan of orphans) resolveOrphan(orphan, lost, draft, resolver);
}

/** Untouched edges of ours are affected when their node goes. */
async function addEdgesOfRemovedNodes(
  { ours, theirs, base }: Sides<RowReader>,
  draft: MergeDraft,
): Promise<void> {
  const removed = await filterYielding(draft.nodes, ([, node]) => node.ours !== null && node.result === null);
  const edges = await filterYielding(
    await ours.edgesOf(removed.map(([id]) => id)),
    (edge) => !draft.edges.has(edgeKey(edge)),
  );
  const [inTheirs, inBase] = await Promise.all([readEdges(theirs, edges), readEdges(base, edges)]);
  await forEachYielding(edges, (edge) => {
    const key = edgeKey(edge);
    draft.edges.set(key, {
      ...{ base: inBase.get(key) ?? null, ours: edge, theirs: inTheirs.get(key) ?? null },
      result: edge,
    });
  });
}

/** An edge that is new to ours, or that loses a node. */
function mayBeOrphan(ours: Edge | null, result: Edge, draft: MergeDraft): boolean {
  return ours === null || endsOf(result).some((end) => draft.nodes.get(end)?.result === null);
}

/** Ends that will exist, as real nodes or as stubs. */
async function remainingEnds(
  { ours, theirs }: Sides<RowReader>,
  draft: MergeDraft,
  ends: readonly NodeId[],
): Promise<Set<NodeId>> {
  const [here, there] = await Promise.all([ours.nodesById(ends), theirs.nodesById(ends)]);
  const remaining = new Set<NodeId>();
  await forEachYielding(ends, (id) => {
    const result = draft.nodes.get(id)?.result;
    if (result !== undefined && result !== null) remaining.add(id);
  });
  await forEachYielding(here, ({ id, stub }) => {
    if (stub || !draft.nodes.has(id)) remaining.add(id);
  });
  await forEachYielding(there, ({ id, stub }) => {
    if (stub) remaining.add(id);
  });
  return remaining;
}

function resolveOrphan(
  { key, edge, missing }: OrphanEdge,
  lost: ReadonlyMap<NodeId, NodeState>,
  draft: MergeDraft,
  resolver: ConflictResolver,
): void {
  const take = resolveEdgeConflict('orphan_edge', edge, resolver);
  const ofTarget = edge.ours !== null;
  if ((take === 'target') !== ofTarget) {
    draft.edges.set(key, { ...edge, result: null });
    return;
  }
  for (const end of missing) {
    const node = draft.nodes.get(end) ?? {
      base: null,
      ours: null,
      theirs: lost.get(end) ?? null,
      result: null,
    };
    draft.nodes.set(end, { ...node, result: ofTarget ? node.ours : (lost.get(end) ?? null) });
  }
}

function endsOf(edge: Edge | null): NodeId[] {
  return edge === null ? [] : [edge.from, edge.to];
}
