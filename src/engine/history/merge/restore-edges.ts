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
  const ends = new Set<NodeId>();
  await forEachYielding(edges, ({ from, to }) => {
    for (const end of [from, to]) {
      draft.ends.add(end);
      ends.add(end);
    }
  });
  const there = new Set<NodeId>();
  await forEachYielding(await states.ours.nodesById([...ends]), ({ id }) => there.add(id));
  const staysOrIsBack = (id: NodeId) => {
    const outcome = draft.nodes.get(id);
    return outcome === undefined ? there.has(id) : outcome.result !== null;
  };
  await forEachYielding(edges, (edge) => {
    const outcome = draft.edges.get(edgeKey(edge)) ?? untouched(edge, side);
    if (outcome === null || outcome.result !== null) return;
    if (staysOrIsBack(edge.from) && staysOrIsBack(edge.to)) {
      draft.edges.set(edgeKey(edge), { ...outcome, result: edge });
    }
  });
}

/** An edge of theirs that they never touched was lost by ours; an untouched edge of ours exists anyway. */
function untouched(edge: Edge, side: 'ours' | 'theirs'): MergedItem<Edge> | null {
  return side === 'ours' ? null : { base: edge, ours: null, theirs: edge, result: null };
}
