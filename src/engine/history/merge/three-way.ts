import { type Edge, type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import type { DerivedProperty, Touches } from '../../../store/answers.js';
import type { Reader } from '../../../store/reader.js';
import { type GraphDiff, inOrder, type NodeState, sameEdge, sameNode } from '../graph-diff.js';
import { readEdges, readNodeStates } from '../read-states.js';
import type { Sides } from './conflict.js';
import { followNodes } from './follow-nodes.js';
import type { Judge } from './judge.js';
import { mergeEdge } from './merge-edge.js';
import { mergeNode } from './merge-node.js';
import { settleOrphans } from './settle-orphans.js';

/** What three states make of the things that were touched. */
export interface Merged {
  /** What turns ours into the result. */
  readonly changes: GraphDiff;
  /** What was left as ours has it, although theirs has it otherwise. */
  readonly kept: Touches;
}

export interface ThreeWayOptions {
  /** Whether a node that stays against the will of one side keeps the edges it had; default: true. */
  readonly edgesFollowNodes?: boolean;
  /** The properties that are made of others, and follow them. */
  readonly derived?: readonly DerivedProperty[];
}

/** Merges what was touched: each thing as it was, as ours has it and as theirs has it. */
export async function threeWay(
  states: Sides<Reader>,
  touched: Touches,
  judge: Judge,
  { edgesFollowNodes = true, derived = [] }: ThreeWayOptions = {},
): Promise<Merged> {
  const draft = await draftResult(states, touched, judge, derived);
  if (edgesFollowNodes) await followNodes(states, draft);
  await settleOrphans(states, draft, judge);
  return {
    changes: inOrder(
      [...draft.nodes.values()]
        .map(({ ours, result }) => ({ before: ours, after: result }))
        .filter(({ before, after }) => !sameNode(before, after)),
      [...draft.edges.values()]
        .map(({ ours, result }) => ({ before: ours, after: result }))
        .filter(({ before, after }) => !sameEdge(before, after)),
    ),
    kept: {
      nodes: [...draft.nodes]
        .filter(([, { ours, theirs, result }]) => sameNode(ours, result) && !sameNode(theirs, result))
        .map(([id]) => id),
      edges: [...draft.edges.values()]
        .filter(({ ours, theirs, result }) => sameEdge(ours, result) && !sameEdge(theirs, result))
        // Ours and theirs differ here, so one of them has it.
        .flatMap(({ ours, theirs }) => identityOf(ours ?? theirs)),
    },
  };
}

/** The sides of a thing, and what becomes of it. */
export interface Outcome<T> extends Sides<T | null> {
  readonly result: T | null;
}

/** What becomes of everything that was touched, before anyone has looked whether it fits together. */
export interface Draft {
  readonly nodes: Map<NodeId, Outcome<NodeState>>;
  readonly edges: Map<string, Outcome<Edge>>;
}

async function draftResult(
  states: Sides<Reader>,
  touched: Touches,
  judge: Judge,
  derived: readonly DerivedProperty[],
): Promise<Draft> {
  const [nodes, edges] = await Promise.all([
    sidesOf(states, (reader) => readNodeStates(reader, touched.nodes)),
    sidesOf(states, (reader) => readEdges(reader, touched.edges)),
  ]);
  const draft: Draft = { nodes: new Map(), edges: new Map() };
  for (const id of touched.nodes) {
    const sides = sidesAt(nodes, id);
    draft.nodes.set(id, { ...sides, result: mergeNode(sides, judge, derived) });
  }
  for (const key of touched.edges.map(edgeKey)) {
    const sides = sidesAt(edges, key);
    draft.edges.set(key, { ...sides, result: mergeEdge(sides, judge) });
  }
  return draft;
}

async function sidesOf<T>(states: Sides<Reader>, read: (reader: Reader) => Promise<T>): Promise<Sides<T>> {
  const [base, ours, theirs] = await Promise.all([read(states.base), read(states.ours), read(states.theirs)]);
  return { base, ours, theirs };
}

function sidesAt<K, T>({ base, ours, theirs }: Sides<ReadonlyMap<K, T>>, key: K): Sides<T | null> {
  return { base: base.get(key) ?? null, ours: ours.get(key) ?? null, theirs: theirs.get(key) ?? null };
}

function identityOf(edge: Edge | null): EdgeIdentity[] {
  return edge === null ? [] : [{ from: edge.from, to: edge.to, type: edge.type, key: edge.key }];
}
