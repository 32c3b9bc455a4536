import { TrellisError } from '../../model/error.js';
import type { Node, NodeId } from '../../model/node.js';
import type { EdgeDraft, NodeDraft } from '../../store/drafts.js';
import type { Identity } from '../../store/read-results.js';
import type { RowWriter, Writer } from '../../store/writer.js';
import type { NodesByName } from './nodes-by-name.js';

interface NewNode {
  readonly type: string;
  readonly name: string;
  readonly observations: readonly string[];
}

interface IdentifiedNode<N extends NewNode> {
  readonly id: NodeId;
  readonly spec: N;
}

/**
 * The node each (type, name) has always meant; a new pair claims the stub of its name, or gets a new id. In the order
 * given.
 */
export async function assignNodeIds<N extends NewNode>(
  rows: Writer,
  specs: readonly N[],
  existing: NodesByName,
  identities: readonly Identity[],
): Promise<IdentifiedNode<N>[]> {
  const known = new Map(identities.map((identity) => [pairKey(identity), identity.node]));
  const missing = specs
    .filter((spec) => !known.has(pairKey(spec)))
    .map(({ type, name, observations }) => {
      const stub = existing.stub(name);
      return stub === undefined
        ? { type, name, observations: observations.length }
        : { type, name, node: stub.id };
    });
  for (const identity of await rows.addIdentities(missing)) known.set(pairKey(identity), identity.node);
  return specs.map((spec) => ({ id: known.get(pairKey(spec)) ?? missingNodeId(spec.name), spec }));
}

function pairKey({ type, name }: Pick<Identity, 'type' | 'name'>): string {
  return JSON.stringify([name, type]);
}

/** A missing id is a bug in the store. */
export function missingNodeId(name: string): never {
  throw new TrellisError('INTERNAL', `The store gave ${JSON.stringify(name)} no node.`);
}

/** A node whose id differs from the stub of its name takes over the stub's edges. */
export async function claimStubs(
  rows: RowWriter,
  nodes: readonly Pick<NodeDraft, 'id' | 'name'>[],
  existing: NodesByName,
): Promise<void> {
  for (const { id, name } of nodes) {
    const stub = existing.stub(name);
    if (stub !== undefined && stub.id !== id) await moveEdges(rows, stub.id, id);
  }
}

/** Moves every edge of one node to another of the same name, and removes the first node. */
export async function moveEdges(rows: RowWriter, from: NodeId, to: NodeId): Promise<void> {
  const moved: EdgeDraft[] = (await rows.removeNodes([from])).map((edge) => ({
    ...edge,
    from: edge.from === from ? to : edge.from,
    to: edge.to === from ? to : edge.to,
  }));
  await rows.putEdges(moved);
}

interface RenamedNode {
  readonly node: Node;
  readonly type: string;
  /** Default: that of the node. */
  readonly name?: string;
}

/**
 * Makes each new (type, name) mean its node. A new pair is assigned to the node; a pair that has always meant another,
 * deleted node keeps meaning that one, which takes over the edges. Returns those by old id.
 */
export async function resolveRenamedIds(
  rows: RowWriter,
  renamed: readonly RenamedNode[],
): Promise<Map<NodeId, NodeId>> {
  const others = new Map<NodeId, NodeId>();
  const changed = renamed
    .map(({ node, type, name = node.name }) => ({ node, type, name }))
    .filter(({ node, type, name }) => node.type !== type || node.name !== name);
  if (changed.length === 0) return others;
  const identities = await rows.identitiesNamed(changed.map(({ name }) => name));
  const known = new Map(identities.map((identity) => [pairKey(identity), identity.node]));
  await rows.addIdentities(
    changed
      .map(({ node, type, name }) => ({ type, name, node: node.id }))
      .filter((identity) => !known.has(pairKey(identity))),
  );
  for (const { node, type, name } of changed) {
    const meant = known.get(pairKey({ type, name }));
    if (meant === undefined || meant === node.id) continue;
    others.set(node.id, meant);
    await moveEdges(rows, node.id, meant);
  }
  return others;
}
