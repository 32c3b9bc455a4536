import { forEachYielding } from '../../../bounds/yielding-loops.js';
import { type Edge, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import type { RowReader } from '../../../store/reader.js';
import type { Sides } from './conflict.js';
import type { MergeDraft, MergedItem } from './three-way-merge.js';

/**
 * A removed node took its edges with it. If the node stays after all, so do those edges, as far as their other ends
 * exist.
 */
export async function restoreEdgesOfKeptNodes(states: Sides<RowReader>, draft: MergeDraft): Promise<void> {
  const removedByTheirs: NodeId[] = [];
  const removedByOurs: NodeId[] = [];
  await forEachYielding(draft.nodes, ([id, { base, ours, theirs, result }]) => {
    if (base === null || result === null) return;
    if (theirs === null) removedByTheirs.push(id);
    if (ours === null) removedByOurs.push(id);
  });
  await restoreEdges(states, draft, 'ours', removedByTheirs);
  await restoreEdges(states, draft, 'theirs', removedByOurs);
}

async function restoreEdges(
  states: Sides<RowReader>,
  draft: MergeDraft,
  side: 'ours' | 'theirs',
  ids: readonly NodeId[],
): Promise<void> {
  const edges = await states[side].edgesOf(ids);
  if (edges.length === 0) return;
  for (const { from, to } of edges) draft.ends.add(from).add(to);
  const ends = await states.ours.nodesById([...new Set(edges.flatMap(({ from, to }) => [from, to]))]);
  const there = new Set(ends.map(({ id }) => id));
  const staysOrIsBack = (id: NodeId) => {
    const outcome = draft.nodes.get(id);
    return outcome === undefined ? there.has(id) : outcome.result !== null;
  };
  for (const edge of edges) {
    const outcome = draft.edges.get(edgeKey(edge)) ?? untouched(edge, side);
    if (outcome === null || outcome.result !== null) continue;
    if (staysOrIsBack(edge.from) && staysOrIsBack(edge.to)) {
      draft.edges.set(edgeKey(edge), { ...outcome, result: edge });
    }
  }
}

/** An edge of theirs that they never touched was lost by ours; an untouched edge of ours exists anyway. */
function untouched(edge: Edge, side: 'ours' | 'theirs'): MergedItem<Edge> | null {
  return side === 'ours' ? null : { base: edge, ours: null, theirs: edge, result: null };
}
