import { filterYielding, mapYielding } from '../../bounds/yielding-loops.js';
import { type Edge, type EdgeIdentity, edgeKey } from '../../model/edge.js';
import { groupEntries } from '../../model/group-entries.js';
import { type Node, type NodeId, type Observation, stubType } from '../../model/node.js';
import { type Order, rehearsedSeq } from '../../model/order.js';
import { isRegistryNode } from '../../model/registry-node.js';
import type { EdgeDraft, KnownNodes, NodeDraft, ObservationDraft } from '../../store/drafts.js';
import type { WriteTarget } from '../../store/graph-targets.js';
import type { Store } from '../../store/store-contract.js';
import type { RowWriter } from '../../store/writer.js';
import { claimStubs } from '../write/assign-node-ids.js';
import { NodesByName } from '../write/nodes-by-name.js';
import { removeUnreferencedStubs } from '../write/remove-unreferenced-stubs.js';
import {
  type EdgeChange,
  type GraphDiff,
  type NodeState,
  sameNodeRow,
  sameObservation,
} from './graph-diff.js';

/** What a diff writes, worked out before the write, so that others need not wait for it. */
export interface DiffWrites {
  readonly removedEdges: readonly Edge[];
  readonly removedNodes: readonly NodeState[];
  /** Real nodes of other names than the gate registry has: each may claim the stub of its name. */
  readonly freshNodes: readonly Node[];
  readonly nodes: readonly NodeDraft[];
  readonly known: KnownNodes;
  readonly removedObservations: readonly Observation[];
  readonly observations: readonly ObservationDraft[];
  readonly edges: readonly EdgeChange[];
}

/** @param storedNode A stored version of a node that the diff may have taken values from. */
export async function planWrites(
  { nodes, edges }: GraphDiff,
  storedNode: KnownNodes['stored'] = () => undefined,
): Promise<DiffWrites> {
  const wanted = nodes.flatMap(({ before, after }) => (after === null ? [] : [{ before, after }]));
  const changed = await filterYielding(
    wanted,
    ({ before, after }) => before === null || !sameNodeRow(before.node, after.node),
  );
  const observations = await mapYielding(wanted, ({ before, after }) =>
    observationChanges(before?.observations ?? [], after),
  );
  const current = new Map<NodeId, Node>();
  for (const { before } of changed) if (before !== null) current.set(before.node.id, before.node);
  return {
    removedEdges: edges.flatMap(({ before, after }) => (before !== null && after === null ? [before] : [])),
    removedNodes: nodes.flatMap(({ before, after }) => (before !== null && after === null ? [before] : [])),
    // Names never mean entries of the gate registry, here and below.
    freshNodes: wanted
      .filter(({ before, after }) => before === null && !isRegistryNode(after.node))
      .map(({ after }) => after.node),
    nodes: await mapYielding(changed, ({ before, after }) => nodeDraft(after.node, before?.node)),
    known: { current: (id) => current.get(id), stored: storedNode },
    removedObservations: observations.flatMap(({ removed }) => removed),
    observations: observations.flatMap(({ put }) => put),
    edges: edges.filter(({ after }) => after !== null),
  };
}

/** About how many rows they change. */
export function countWrites(writes: DiffWrites): number {
  const { nodes, removedNodes, observations, removedObservations, edges, removedEdges } = writes;
  const lists = [nodes, removedNodes, observations, removedObservations, edges, removedEdges];
  return lists.reduce((sum, { length }) => sum + length, 0);
}

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
  const { removedEdges, edges } = writes;
  await writer.removeEdges(removedEdges);
  await removeNodes(writer, writes.removedNodes, edges);
  await claimStubs(writer, writes.freshNodes, await NodesByName.load(writer, writes.freshNodes));
  await writer.putNodes(writes.nodes, writes.known);
  await writer.removeObservations(writes.removedObservations);
  await writer.putObservations(writes.observations);
  await putEdges(writer, edges);
  await removeUnreferencedStubs(writer, removedEdges);
}

/** Made by an earlier step of the same plan, which knows neither its place nor its time. */
function isRehearsed({ order }: { readonly order: Order }): boolean {
  return order.seq === rehearsedSeq;
}

/** New nodes go to the end, so that readers paging through the graph meet them. */
function nodeDraft(
  { id, type, name, stub, summary, summaryUpdatedAt, tags, props, provenance, createdAt }: Node,
  before: Node | undefined,
): NodeDraft {
  const content = { id, type, name, stub, summary, summaryUpdatedAt, tags, props, provenance, createdAt };
  return before === undefined || isRehearsed(before) ? content : { ...content, order: before.order };
}

/** A removed node that an edge still names becomes a stub. */
async function removeNodes(
  writer: RowWriter,
  gone: readonly NodeState[],
  put: readonly EdgeChange[],
): Promise<void> {
  const ids = gone.map(({ node }) => node.id);
  const named = new Set([
    ...endsOf(await writer.edgesOf(ids)),
    ...endsOf(put.flatMap(({ after }) => after ?? [])),
  ]);
  await writer.removeNodes(ids.filter((id) => !named.has(id)));
  const stubs = gone.filter(({ node }) => named.has(node.id));
  await writer.removeObservations(stubs.flatMap(({ observations }) => observations));
  await putStubs(
    writer,
    stubs.map(({ node }) => node),
  );
}

function observationChanges(
  before: readonly Observation[],
  { observations }: NodeState,
): { readonly put: readonly ObservationDraft[]; readonly removed: readonly Observation[] } {
  const old = new Map(before.map((observation) => [observation.ordinal, observation]));
  const kept = new Set(observations.map(({ ordinal }) => ordinal));
  return {
    put: observations.filter((observation) => !sameObservation(observation, old.get(observation.ordinal))),
    removed: before.filter(({ ordinal }) => !kept.has(ordinal)),
  };
}

async function putEdges(writer: RowWriter, changes: readonly EdgeChange[]): Promise<void> {
  const places = await resolveMissingEnds(
    writer,
    changes.flatMap(({ after }) => after ?? []),
  );
  const drafts = changes.flatMap(({ before, after }): EdgeDraft[] => {
    if (after === null) return [];
    const { order: _, ...content } = after;
    const ends = { from: places.get(after.from) ?? after.from, to: places.get(after.to) ?? after.to };
    return [
      before === null || isRehearsed(before)
        ? { ...content, ...ends }
        : { ...content, createdAt: before.createdAt, order: before.order },
    ];
  });
  if (places.size === 0) return writer.putEdges(drafts);
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
async function resolveMissingEnds(writer: RowWriter, edges: readonly Edge[]): Promise<Map<NodeId, NodeId>> {
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

function endsOf(edges: readonly EdgeIdentity[]): NodeId[] {
  return edges.flatMap(({ from, to }) => [from, to]);
}
