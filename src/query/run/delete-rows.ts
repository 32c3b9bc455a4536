import { chunksOf } from '../../bounds/chunks.js';
import type { DeleteRows } from '../bound-mutation.js';
import { matchedEdges, matchedNodes } from './matched-rows.js';
import type { AffectedCounts, MutationContext } from './mutation-context.js';

/** Removes the rows that match; with a node go its edges, which count too. */
export async function deleteRows(context: MutationContext, statement: DeleteRows): Promise<AffectedCounts> {
  const { rows } = context;
  if (statement.of === 'edge') {
    const edges = await matchedEdges(context, statement);
    for (const some of chunksOf(edges)) await rows.removeEdges(some);
    return { nodes: 0, edges: edges.length };
  }
  const nodes = await matchedNodes(context, statement);
  let edges = 0;
  for (const some of chunksOf(nodes.map(({ id }) => id))) {
    edges += (await rows.removeNodes(some)).length;
  }
  return { nodes: nodes.length, edges };
}
