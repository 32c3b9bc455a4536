import type { NodeId } from '../../model/node.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { RowWriter } from '../../store/writer.js';

/** Moves every edge of one node to another of the same name, and removes the first node. */
export async function moveEdges(rows: RowWriter, from: NodeId, to: NodeId): Promise<void> {
  const moved: EdgeDraft[] = (await rows.removeNodes([from])).map((edge) => ({
    ...edge,
    from: edge.from === from ? to : edge.from,
    to: edge.to === from ? to : edge.to,
  }));
  await rows.putEdges(moved);
}
