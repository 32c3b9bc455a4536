import { filterYielding } from '../../bounds/yielding-loops.js';
import { edgeKey } from '../../model/edge.js';
import type { TouchedItems } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import {
  type GraphDiff,
  readEdges,
  readNodeStates,
  sameEdge,
  sameNode,
  sortChanges,
  withSchemaChange,
} from './graph-diff.js';
import { resolveRef } from './resolve-ref.js';

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

/** What turns `from` into `to`, each a branch or a commit. The cost depends only on the history they do not share. */
export async function diffRefs(store: Store, graph: string, from: string, to: string): Promise<GraphDiff> {
  const [before, after] = [await resolveRef(store, graph, from), await resolveRef(store, graph, to)];
  return store.read({ graph }, async (reader) => {
    const states = { before: await reader.at(before), after: await reader.at(after) };
    const touched = unionOfTouches(
      await touchedSince(states.before, after),
      await touchedSince(states.after, before),
    );
    return diffStates(states.before, states.after, touched);
  });
}

async function touchedSince(reader: Reader, commit: string | null): Promise<TouchedItems> {
  return commit === null ? { nodes: [], edges: [] } : (await reader.unseen(commit)).touched;
}

function unionOfTouches(a: TouchedItems, b: TouchedItems): TouchedItems {
  const edges = new Map([...a.edges, ...b.edges].map((edge) => [edgeKey(edge), edge]));
  return { nodes: [...new Set([...a.nodes, ...b.nodes])], edges: [...edges.values()] };
}
