import type { ChangeCounts } from '../../../model/commit.js';
import type { Node } from '../../../model/node.js';
import type { NodeDraft } from '../../drafts.js';

export type NodeCounts = Pick<ChangeCounts, 'nodesCreated' | 'nodesUpdated'>;

/** A stub is nothing yet, so putting a node in its place creates it. */
export function countPutNodes(drafts: readonly NodeDraft[], before: readonly Node[]): NodeCounts {
  const wasReal = new Set(before.filter((node) => !node.stub).map(({ id }) => id));
  const updated = drafts.filter(({ id }) => wasReal.has(id)).length;
  const created = drafts.filter(({ id, stub }) => stub !== true && !wasReal.has(id)).length;
  return { nodesCreated: created, nodesUpdated: updated };
}
