import {
  filterYielding,
  flatMapYielding,
  forEachYielding,
  mapYielding,
} from '../../bounds/yielding-loops.js';
import { type Edge, type EdgeIdentity, edgeKey } from '../../model/edge.js';
import type { Node, NodeId, Observation } from '../../model/node.js';
import { type Order, rehearsedSeq } from '../../model/order.js';
import { isRegistryNode } from '../../model/registry-node.js';
import type { EdgeDraft, KnownRows, NodeDraft, ObservationDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/reader.js';
import { stubsAmong } from '../write/remove-unreferenced-stubs.js';
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
  readonly removedNodes: readonly NodeId[];
  /** Removed nodes that an edge still names: they become stubs. */
  readonly emptiedNodes: readonly NodeState[];
  /** Nodes with a new name that a stub may have: each claims it. */
  readonly claimingNodes: readonly Node[];
  /** The stubs that have their names: their edges move. */
  readonly claimedStubs: readonly NodeId[];
  readonly nodes: readonly NodeDraft[];
  /** Their edges name them, also those that others have made. */
  readonly renamedNodes: readonly Node[];
  readonly removedObservations: readonly Observation[];
  readonly observations: readonly ObservationDraft[];
  readonly edges: readonly EdgeDraft[];
  /** Whether an edge may have an end that is missing when the nodes are put. */
  readonly hasLooseEnds: boolean;
  /** Those at the ends of removed edges: a stub goes with its last edge. */
  readonly stubsToCheck: readonly NodeId[];
  readonly known: KnownRows;
}

/**
 * @param ours The state that the diff starts from.
 * @param storedNode A stored version of a node that the diff may have taken values from.
 */
export async function planWrites(
  { nodes, edges }: GraphDiff,
  ours: RowReader,
  storedNode: KnownRows['stored'] = () => undefined,
): Promise<DiffWrites> {
  const wanted = await flatMapYielding(nodes, ({ before, after }) =>
    after === null ? [] : [{ before, after }],
  );
  const changed = await filterYielding(
    wanted,
    ({ before, after }) => before === null || !sameNodeRow(before.node, after.node),
  );
  const observations = await mapYielding(wanted, ({ before, after }) =>
    observationChanges(before?.observations ?? [], after),
  );
  const removed = await flatMapYielding(nodes, removedBefore);
  const removedEdges = await flatMapYielding(edges, removedBefore);
  const drafts = await flatMapYielding(edges, edgeDraft);
  const named = await namedAfterwards(ours, removed, removedEdges, drafts);
  const emptiedNodes = removed.filter(({ node }) => named.has(node.id));
  const observationCounts = new Map<NodeId, number>();
  const ends = await missingAmong(drafts, changed);
  const fresh: Node[] = [];
  const renamedNodes: Node[] = [];
  const current = new Map<NodeId, Node>();
  const namesOfEnds = new Map<NodeId, string>();
  await forEachYielding(removed, ({ node, observations: { length } }) => {
    current.set(node.id, node);
    observationCounts.set(node.id, length);
  });
  await forEachYielding(changed, ({ before, after }) => {
    namesOfEnds.set(after.node.id, after.node.name);
    if (before === null) fresh.push(after.node);
    else current.set(before.node.id, before.node);
    if (before !== null && before.node.name !== after.node.name) renamedNodes.push(after.node);
  });
  // A stub counts as missing in a diff, but it has a row.
  const read = await ours.nodesById([...new Set([...fresh.map(({ id }) => id), ...ends])]);
  const typesOfEnds = new Map<NodeId, string>();
  const stubs = new Set<NodeId>();
  await forEachYielding(read, (node) => {
    ends.delete(node.id);
    if (!namesOfEnds.has(node.id)) namesOfEnds.set(node.id, node.name);
    if (node.stub) {
      current.set(node.id, node);
      stubs.add(node.id);
    } else typesOfEnds.set(node.id, node.type);
  });
  for (const { node } of removed) typesOfEnds.delete(node.id);
  const endsOfRemoved = await endsOf(removedEdges);
  // A stub that becomes a real node stays.
  await forEachYielding(changed, ({ after }) => void endsOfRemoved.delete(after.node.id));
  return {
    removedEdges,
    removedNodes: removed.flatMap(({ node }) => (named.has(node.id) ? [] : [node.id])),
    emptiedNodes,
    ...(await stubClaims(ours, [...fresh, ...renamedNodes], emptiedNodes)),
    renamedNodes,
    nodes: await mapYielding(changed, ({ before, after }) => nodeDraft(after.node, before?.node)),
    removedObservations: await flatMapYielding(observations, ({ removed }) => removed),
    observations: await flatMapYielding(observations, ({ put }) => put),
    edges: await mapYielding(drafts, (draft) => withNamesOfEnds(draft, namesOfEnds)),
    hasLooseEnds: ends.size > 0,
    stubsToCheck: await stubsAmong(ours, endsOfRemoved),
    known: {
      current: (id) => current.get(id),
      observationCount: (id) => observationCounts.get(id) ?? 0,
      stored: storedNode,
      hasObservation: await replacedObservations(observations, stubs),
      hasEdge: await replacedEdges(edges),
      typeOfEnd: (id) => typesOfEnds.get(id),
    },
  };
}

function removedBefore<T>({ before, after }: { readonly before: T | null; readonly after: T | null }): T[] {
  return before !== null && after === null ? [before] : [];
}

async function endsOf(edges: readonly EdgeIdentity[]): Promise<Set<NodeId>> {
  const ends = new Set<NodeId>();
  await forEachYielding(edges, ({ from, to }) => void ends.add(from).add(to));
  return ends;
}

/** The ends of edges that are not among the nodes. */
async function missingAmong(
  edges: readonly EdgeDraft[],
  nodes: readonly { readonly after: NodeState }[],
): Promise<Set<NodeId>> {
  const ends = await endsOf(edges);
  await forEachYielding(nodes, ({ after }) => void ends.delete(after.node.id));
  return ends;
}

/** Of removed nodes, those that an edge still names when the removed edges are gone and others are put. */
async function namedAfterwards(
  ours: RowReader,
  removed: readonly NodeState[],
  removedEdges: readonly Edge[],
  put: readonly EdgeDraft[],
): Promise<Set<NodeId>> {
  const named = new Set<NodeId>();
  if (removed.length === 0) return named;
  const gone = new Set<string>();
  await forEachYielding(removedEdges, (edge) => gone.add(edgeKey(edge)));
  const there = await ours.edgesOf(removed.map(({ node }) => node.id));
  await forEachYielding(there, (edge) => {
    if (!gone.has(edgeKey(edge))) named.add(edge.from).add(edge.to);
  });
  await forEachYielding(put, ({ from, to }) => named.add(from).add(to));
  return named;
}

/** Names never mean entries of the gate registry, here and below. */
async function stubClaims(
  ours: RowReader,
  newlyNamed: readonly Node[],
  emptied: readonly NodeState[],
): Promise<Pick<DiffWrites, 'claimingNodes' | 'claimedStubs'>> {
  const named = newlyNamed.filter((node) => !isRegistryNode(node));
  const there = await ours.nodesNamed([...new Set(named.map(({ name }) => name))]);
  const stubs = there.filter(({ stub }) => stub);
  const names = new Set([...emptied.map(({ node }) => node.name), ...stubs.map(({ name }) => name)]);
  return {
    claimingNodes: named.filter(({ name }) => names.has(name)),
    claimedStubs: stubs.map(({ id }) => id),
  };
}

async function replacedObservations(
  changes: readonly ObservationChanges[],
  stubs: ReadonlySet<NodeId>,
): Promise<KnownRows['hasObservation']> {
  const replaced = new Map<NodeId, Set<number>>();
  await forEachYielding(changes, ({ put, isThere }) => {
    for (const { node, ordinal } of put)
      if (isThere(ordinal)) replaced.set(node, (replaced.get(node) ?? new Set()).add(ordinal));
  });
  // A diff does not say what a stub has.
  return ({ node, ordinal }) =>
    stubs.has(node) || (ordinal !== undefined && replaced.get(node)?.has(ordinal) === true);
}

async function replacedEdges(changes: readonly EdgeChange[]): Promise<KnownRows['hasEdge']> {
  const replaced = new Set<string>();
  await forEachYielding(changes, ({ before, after }) => {
    if (before !== null && after !== null) replaced.add(edgeKey(before));
  });
  return (edge) => replaced.size > 0 && replaced.has(edgeKey(edge));
}

/** About how many rows they change. */
export function countWrites(writes: DiffWrites): number {
  const { nodes, removedNodes, emptiedNodes, observations, removedObservations, edges, removedEdges } =
    writes;
  const lists = [nodes, removedNodes, emptiedNodes, observations, removedObservations, edges, removedEdges];
  return lists.reduce((sum, { length }) => sum + length, 0);
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

function edgeDraft({ before, after }: EdgeChange): EdgeDraft[] {
  if (after === null) return [];
  const { order: _, ...content } = after;
  return [
    before === null || isRehearsed(before)
      ? content
      : { ...content, createdAt: before.createdAt, order: before.order },
  ];
}

/** An edge of the other side may name a node as it was before ours renamed it. */
function withNamesOfEnds(draft: EdgeDraft, names: ReadonlyMap<NodeId, string>): EdgeDraft {
  const fromName = names.get(draft.from) ?? draft.fromName;
  const toName = names.get(draft.to) ?? draft.toName;
  return fromName === draft.fromName && toName === draft.toName ? draft : { ...draft, fromName, toName };
}

interface ObservationChanges {
  readonly put: readonly Observation[];
  readonly removed: readonly Observation[];
  /** Whether the node had an observation with this ordinal. */
  isThere(ordinal: number): boolean;
}

function observationChanges(before: readonly Observation[], { observations }: NodeState): ObservationChanges {
  const old = new Map(before.map((observation) => [observation.ordinal, observation]));
  const kept = new Set(observations.map(({ ordinal }) => ordinal));
  return {
    put: observations.filter((observation) => !sameObservation(observation, old.get(observation.ordinal))),
    removed: before.filter(({ ordinal }) => !kept.has(ordinal)),
    isThere: (ordinal) => old.has(ordinal),
  };
}
