import { filterYielding, forEachYielding } from '../../../bounds/yielding-loops.js';
import { type Edge, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import type { RowReader } from '../../../store/reader.js';
import { type NodeState, readNodeStates } from '../graph-diff.js';
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
    [...draft.edges],
    ([, { ours, result }]) => result !== null && mayBeOrphan(ours, result, draft),
  );
  const ends = [
    ...new Set(fragile.flatMap(([, { result }]) => (result === null ? [] : [result.from, result.to]))),
  ];
  if (ends.length === 0) return;
  const nodes = await remainingEnds(states, draft, ends);
  const orphans: OrphanEdge[] = fragile
    .map(([key, edge]) => ({ key, edge, missing: endsOf(edge.result).filter((end) => !nodes.has(end)) }))
    .filter(({ missing }) => missing.length > 0);
  if (orphans.length === 0) return;
  const lost = await readNodeStates(states.theirs, [...new Set(orphans.flatMap(({ missing }) => missing))]);
  for (const orphan of orphans) resolveOrphan(orphan, lost, draft, resolver);
}

/** Untouched edges of ours are affected when their node goes. */
async function addEdgesOfRemovedNodes(
  { ours, theirs, base }: Sides<RowReader>,
  draft: MergeDraft,
): Promise<void> {
  const removed = await filterYielding(
    [...draft.nodes],
    ([, node]) => node.ours !== null && node.result === null,
  );
  const edges = await filterYielding(
    await ours.edgesOf(removed.map(([id]) => id)),
    (edge) => !draft.edges.has(edgeKey(edge)),
  );
  const [there, before] = await Promise.all([theirs.edgesByIdentity(edges), base.edgesByIdentity(edges)]);
  const [inTheirs, inBase] = [there, before].map(
    (found) => new Map(found.map((edge) => [edgeKey(edge), edge])),
  );
  await forEachYielding(edges, (edge) => {
    const key = edgeKey(edge);
    draft.edges.set(key, {
      ...{ base: inBase?.get(key) ?? null, ours: edge, theirs: inTheirs?.get(key) ?? null },
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
  const stubs = new Set([...here, ...there].filter(({ stub }) => stub).map(({ id }) => id));
  const real = new Set(here.filter(({ stub }) => !stub).map(({ id }) => id));
  const willBe = (id: NodeId) => {
    const outcome = draft.nodes.get(id);
    return outcome === undefined ? real.has(id) : outcome.result !== null;
  };
  return new Set(ends.filter((id) => willBe(id) || stubs.has(id)));
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
