import { filterYielding, flatMapYielding, forEachYielding } from '../../../bounds/yielding-loops.js';
import { type Edge, type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { DerivedProperty, TouchedItems } from '../../../store/read-results.js';
import type { RowReader } from '../../../store/reader.js';
import {
  type GraphDiff,
  type NodeState,
  readEdges,
  readNodeStates,
  sameEdge,
  sameNode,
  sortChanges,
} from '../graph-diff.js';
import type { Footprint } from '../prepared-write.js';
import { edgeConflictId, nodeConflictId, type Sides } from './conflict.js';
import type { ConflictResolver } from './conflict-resolver.js';
import { edgesAtStubs } from './edges-at-stubs.js';
import { mergeEdge } from './merge-edge.js';
import { mergeNode } from './merge-node.js';
import { resolveOrphanEdges } from './resolve-orphan-edges.js';
import { restoreEdgesOfKeptNodes } from './restore-edges.js';

export interface ThreeWayMergeResult {
  /** What turns ours into the result. */
  readonly changes: GraphDiff;
  /** What stays as in ours although theirs differs. */
  readonly kept: TouchedItems;
  readonly footprint: Footprint;
  /** What theirs has of a node. */
  theirNode(id: NodeId): Node | undefined;
}

interface ThreeWayMergeOptions {
  /** Whether a node that stays against one side's decision keeps its edges; default: true. */
  readonly edgesFollowNodes?: boolean;
  readonly derived?: readonly DerivedProperty[];
  /** The nodes in which ours may differ from the base; left out, all. */
  readonly changedHere?: ReadonlySet<NodeId> | undefined;
  /** Whether to merge what a node or edge became, by the id that a conflict would have; what is not taken stays. */
  readonly isTaken?: ((id: string) => boolean) | undefined;
}

export async function threeWayMerge(
  states: Sides<RowReader>,
  touched: TouchedItems,
  resolver: ConflictResolver,
  { edgesFollowNodes = true, ...options }: ThreeWayMergeOptions = {},
): Promise<ThreeWayMergeResult> {
  const draft = await draftMerge(states, touched, resolver, options);
  if (edgesFollowNodes) await restoreEdgesOfKeptNodes(states, draft);
  await resolveOrphanEdges(states, draft, resolver);
  const nodes = await withVerdicts(draft.nodes, sameNode);
  const edges = await withVerdicts(draft.edges, sameEdge);
  const changes = await sortChanges(
    await flatMapYielding(nodes, changeOf),
    await flatMapYielding(edges, changeOf),
  );
  return {
    changes,
    footprint: await footprintOf(draft, changes),
    theirNode: (id) => draft.nodes.get(id)?.theirs?.node,
    kept: {
      nodes: (await filterYielding(nodes, isKept)).map(({ key }) => key),
      // Ours and theirs differ here, so one of them has it.
      edges: (await filterYielding(edges, isKept)).flatMap(({ outcome: { ours, theirs } }) =>
        identityOf(ours ?? theirs),
      ),
    },
  };
}

interface MergeVerdict<K, T> {
  readonly key: K;
  readonly outcome: MergedItem<T>;
  readonly asOurs: boolean;
  readonly asTheirs: boolean;
}

async function withVerdicts<K, T>(
  outcomes: ReadonlyMap<K, MergedItem<T>>,
  same: (a: T | null, b: T | null) => boolean,
): Promise<MergeVerdict<K, T>[]> {
  const verdicts: MergeVerdict<K, T>[] = [];
  await forEachYielding(outcomes, ([key, outcome]) => {
    const { ours, theirs, result } = outcome;
    const asOurs = same(ours, result);
    // Only needed for what stays as in ours.
    verdicts.push({ key, outcome, asOurs, asTheirs: asOurs && same(theirs, result) });
  });
  return verdicts;
}

function changeOf<T>({ outcome: { ours, result }, asOurs }: MergeVerdict<unknown, T>) {
  return asOurs ? [] : [{ before: ours, after: result }];
}

function isKept({ asOurs, asTheirs }: MergeVerdict<unknown, unknown>): boolean {
  return asOurs && !asTheirs;
}

async function footprintOf(draft: MergeDraft, changes: GraphDiff): Promise<Footprint> {
  const nodes = new Set(draft.ends);
  const edges = new Set<string>();
  await forEachYielding(draft.edges, ([key, { base, ours, theirs }]) => {
    edges.add(key);
    const there = ours ?? theirs ?? base;
    if (there !== null) nodes.add(there.from).add(there.to);
  });
  const fragile = new Set<NodeId>();
  await forEachYielding(draft.nodes, ([id, { base, ours, theirs, result }]) => {
    nodes.add(id);
    if (base === null || ours === null || theirs === null || result === null) fragile.add(id);
  });
  const names = new Set<string>();
  await forEachYielding(changes.nodes, ({ before, after }) => {
    if (after === null || before?.node.name === after.node.name) return;
    names.add(after.node.name);
    // Its edges name it.
    fragile.add(after.node.id);
  });
  await forEachYielding(changes.edges, ({ before, after }) => {
    // A missing end is looked up by its name, and a stub goes with its last edge.
    if (after !== null) names.add(after.fromName).add(after.toName);
    else if (before !== null) fragile.add(before.from).add(before.to);
  });
  return { nodes, edges, fragile, names };
}

export interface MergedItem<T> extends Sides<T | null> {
  readonly result: T | null;
}

/** The merged items before checking whether they fit together. */
export interface MergeDraft {
  readonly nodes: Map<NodeId, MergedItem<NodeState>>;
  readonly edges: Map<string, MergedItem<Edge>>;
  /** Further nodes that decided about an edge. */
  readonly ends: Set<NodeId>;
}

async function draftMerge(
  states: Sides<RowReader>,
  touched: TouchedItems,
  resolver: ConflictResolver,
  { derived = [], changedHere, isTaken }: ThreeWayMergeOptions,
): Promise<MergeDraft> {
  const [nodes, edges] = await Promise.all([
    nodeSides(states, touched.nodes, changedHere),
    edgeSides(states, touched.edges),
  ]);
  const draft: MergeDraft = { nodes: new Map(), edges: new Map(), ends: new Set() };
  await forEachYielding(touched.nodes, (id) => {
    const sides = sidesAt(nodes, id);
    const there = sides.theirs ?? sides.ours ?? sides.base;
    const taken = there === null || isTaken === undefined || isTaken(nodeConflictId(there.node));
    draft.nodes.set(id, { ...sides, result: taken ? mergeNode(sides, resolver, derived) : sides.ours });
  });
  const moving = await movingEdges(states.ours, draft.nodes, touched.edges, edges);
  await forEachYielding(touched.edges, (edge) => {
    const key = edgeKey(edge);
    const found = sidesAt(edges, key);
    const sides = { ...found, ours: found.ours ?? moving.get(key) ?? null };
    const there = sides.theirs ?? sides.ours ?? sides.base;
    const taken = there === null || isTaken === undefined || isTaken(edgeConflictId(there));
    draft.edges.set(key, { ...sides, result: taken ? mergeEdge(sides, resolver) : sides.ours });
  });
  return draft;
}

/** Edges that ours has at stubs of nodes that theirs brings back, or gives their names. */
async function movingEdges(
  ours: RowReader,
  nodes: MergeDraft['nodes'],
  touched: readonly EdgeIdentity[],
  edges: Sides<ReadonlyMap<string, Edge>>,
): Promise<ReadonlyMap<string, Edge>> {
  const returning = await flatMapYielding(nodes, ([, { ours: known, result }]) =>
    result !== null && known?.node.name !== result.node.name ? [result.node] : [],
  );
  if (returning.length === 0) return new Map();
  const added = await filterYielding(touched, (edge) => {
    const key = edgeKey(edge);
    return edges.theirs.has(key) && !edges.ours.has(key);
  });
  return edgesAtStubs(ours, returning, added, (edge) => edges.ours.has(edgeKey(edge)));
}

/** Where ours is as the base was, both are the same object. */
async function nodeSides(
  states: Sides<RowReader>,
  ids: readonly NodeId[],
  changedHere: ReadonlySet<NodeId> | undefined,
): Promise<Sides<Lookup<NodeId, NodeState>>> {
  const isOther = (id: NodeId) => states.base !== states.ours && (changedHere?.has(id) ?? true);
  const others = await filterYielding(ids, isOther);
  const [ours, theirs, changed] = await Promise.all([
    readNodeStates(states.ours, ids),
    readNodeStates(states.theirs, ids),
    readNodeStates(states.base, others),
  ]);
  return { base: { get: (id) => (isOther(id) ? changed : ours).get(id) }, ours, theirs };
}

async function edgeSides(
  states: Sides<RowReader>,
  identities: readonly EdgeIdentity[],
): Promise<Sides<ReadonlyMap<string, Edge>>> {
  const [ours, theirs] = await Promise.all([
    readEdges(states.ours, identities),
    readEdges(states.theirs, identities),
  ]);
  const base = states.base === states.ours ? ours : await readEdges(states.base, identities);
  return { base, ours, theirs };
}

type Lookup<K, T> = Pick<ReadonlyMap<K, T>, 'get'>;

function sidesAt<K, T>({ base, ours, theirs }: Sides<Lookup<K, T>>, key: K): Sides<T | null> {
  return { base: base.get(key) ?? null, ours: ours.get(key) ?? null, theirs: theirs.get(key) ?? null };
}

function identityOf(edge: Edge | null): EdgeIdentity[] {
  return edge === null ? [] : [{ from: edge.from, to: edge.to, type: edge.type, key: edge.key }];
}
