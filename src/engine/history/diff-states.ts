import { filterYielding } from '../../bounds/yielding-loops.js';
import { edgeKey } from '../../model/edge.js';
import type { TouchedItems } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import { type GraphDiff, sameEdge, sameNode, sortChanges, withSchemaChange } from './graph-diff.js';
import { readEdges, readNodeStates } from './read-states.js';

export async function diffStates(before: Reader, after: Reader, touches: TouchedItems): Promise<GraphDiff> {
  const nodes = await Promise.all([before, after].map((reader) => readNodeStates(reader, touches.nodes)));
  const edges = await Promise.all([before, after].map((reader) => readEdges(reader, touches.edges)));
  const rows = sortChanges(
    await filterYielding(
      touches.nodes.map((id) => ({ before: nodes[0]?.get(id) ?? null, after: nodes[1]?.get(id) ?? null })),
      (change) => !sameNode(change.before, change.after),
    ),
    await filterYielding(
      touches.edges
        .map(edgeKey)
        .map((key) => ({ before: edges[0]?.get(key) ?? null, after: edges[1]?.get(key) ?? null })),
      (change) => !sameEdge(change.before, change.after),
    ),
  );
  return withSchemaChange(rows, await before.schema(), await after.schema());
}
