import { edgeKey } from '../../model/edge.js';
import { groupEntries } from '../../model/group-entries.js';
import { type NodeId, stubType } from '../../model/node.js';
import { isRegistryNode } from '../../model/registry-node.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { WriteTarget } from '../../store/graph-targets.js';
import type { Store } from '../../store/store-contract.js';
import type { RowWriter } from '../../store/writer.js';
import { claimStubs, renameEnds } from '../write/assign-node-ids.js';
import { NodesByName } from '../write/nodes-by-name.js';
import { removeStubsWithoutEdges } from '../write/remove-unreferenced-stubs.js';
import type { NodeState } from './graph-diff.js';
import type { DiffWrites } from './plan-writes.js';

/** Has the store work out rows before the write; see `releaseWrites`. */
export async function stageWrites(
  store: Store,
  target: WriteTarget,
  writes: readonly DiffWrites[],
): Promise<DiffWrites[]> {
  const staged: DiffWrites[] = [];
  try {
    for (const each of writes) {
      const { nodes, known } = each;
      staged.push({ ...each, known: { ...known, staged: await store.stageNodes(target, nodes, known) } });
    }
    return staged;
  } catch (error) {
    await releaseWrites(staged);
    throw error;
  }
}

export async function releaseWrites(writes: readonly DiffWrites[]): Promise<void> {
  for (const { known } of writes) await known.staged?.release();
}

/** Where the writes touch the graph, it must be in the state their diff starts from. */
export async function applyWrites(writer: RowWriter, writes: DiffWrites): Promise<void> {
  const { removedEdges, claimingNodes: claiming, edges, known } = writes;
  await writer.removeEdges(removedEdges, known);
  await writer.removeNodes(writes.removedNodes, known);
  await emptyNodes(writer, writes.emptiedNodes);
  if (claiming.length > 0) await claimStubs(writer, claiming, await NodesByName.load(writer, claiming));
  // Edges first: a thread that stores them is busy while this one checks nodes, which takes longer.
  if (!writes.hasLooseEnds) await writer.putEdges(edges, known);
  await writer.putNodes(writes.nodes, known);
  await writer.removeObservations(writes.removedObservations, known);
  await writer.putObservations(writes.observations, known);
  if (writes.hasLooseEnds) await putLooseEdges(writer, edges);
  await renameEnds(writer, writes.renamedNodes);
  await removeStubsWithoutEdges(writer, writes.stubsToCheck);
}

async function emptyNodes(writer: RowWriter, nodes: readonly NodeState[]): Promise<void> {
  await writer.removeObservations(nodes.flatMap(({ observations }) => observations));
  await putStubs(
    writer,
    nodes.map(({ node }) => node),
  );
}

async function putLooseEdges(writer: RowWriter, edges: readonly EdgeDraft[]): Promise<void> {
  const places = await resolveMissingEnds(writer, edges);
  if (places.size === 0) return writer.putEdges(edges);
  const drafts = edges.map((edge) => ({
    ...edge,
    from: places.get(edge.from) ?? edge.from,
    to: places.get(edge.to) ?? edge.to,
  }));
  // With its new ends, an edge may be one that already exists; that one stays as it is.
  const moved = new Set(places.values());
  const atMoved = drafts.filter(({ from, to }) => moved.has(from) || moved.has(to));
  const there = new Set((await writer.edgesByIdentity(atMoved)).map(edgeKey));
  await writer.putEdges(drafts.filter((draft) => !there.has(edgeKey(draft))));
}

/**
 * Gives every edge its ends. A missing end is replaced by the real node of its name, which is returned, or becomes a
 * stub.
 */
async function resolveMissingEnds(
  writer: RowWriter,
  edges: readonly EdgeDraft[],
): Promise<Map<NodeId, NodeId>> {
  const names = new Map<NodeId, string>();
  for (const { from, to, fromName, toName } of edges) names.set(from, fromName).set(to, toName);
  for (const { id } of await writer.nodesById([...names.keys()])) names.delete(id);
  const places = new Map<NodeId, NodeId>();
  if (names.size === 0) return places;
  const named = await writer.nodesNamed([...new Set(names.values())]);
  const real = named.filter((node) => !node.stub && !isRegistryNode(node));
  const namesakes = groupEntries(real.map((node) => [node.name, node]));
  const stubs: { readonly id: NodeId; readonly name: string }[] = [];
  for (const [id, name] of names) {
    const [only, ...others] = namesakes.get(name) ?? [];
    if (only !== undefined && others.length === 0) places.set(id, only.id);
    else stubs.push({ id, name });
  }
  await putStubs(writer, stubs);
  return places;
}

async function putStubs(
  writer: RowWriter,
  nodes: readonly { readonly id: NodeId; readonly name: string }[],
): Promise<void> {
  await writer.putNodes(nodes.map(({ id, name }) => ({ id, name, type: stubType, stub: true })));
}
