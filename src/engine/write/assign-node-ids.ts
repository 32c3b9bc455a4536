import { edgeKey } from '../../model/edge.js';
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
  await refuseFormerNames(
    rows,
    specs.flatMap((spec) => {
      const id = existing.exists(spec) ? undefined : known.get(pairKey(spec));
      return id === undefined ? [] : [[id, spec.name] as const];
    }),
  );
  // Of several types that share the name of a stub, one claims it.
  const taken = new Set(specs.map((spec) => known.get(pairKey(spec))));
  const missing = specs
    .filter((spec) => !known.has(pairKey(spec)))
    .map(({ type, name, observations }) => {
      const stub = existing.stub(name);
      if (stub === undefined || taken.has(stub.id)) return { type, name, observations: observations.length };
      taken.add(stub.id);
      return { type, name, node: stub.id };
    });
  for (const identity of await rows.addIdentities(missing)) known.set(pairKey(identity), identity.node);
  return specs.map((spec) => ({ id: known.get(pairKey(spec)) ?? missingNodeId(spec.name), spec }));
}

/** A node that was renamed is still there: it must not become a new node of its earlier name. */
export async function refuseFormerNames(
  rows: RowWriter,
  wanted: readonly (readonly [id: NodeId, name: string])[],
): Promise<void> {
  if (wanted.length === 0) return;
  const nodes = new Map((await rows.nodesById(wanted.map(([id]) => id))).map((node) => [node.id, node]));
  for (const [id, name] of wanted) {
    const node = nodes.get(id);
    if (node === undefined || node.stub || node.name === name) continue;
    throw new TrellisError(
      'NODE_EXISTS',
      `${JSON.stringify(name)} is an earlier name of the node ${JSON.stringify(node.name)}.`,
      {
        hint: `Nothing was done. Use the name ${JSON.stringify(node.name)}, or a name that no node had before.`,
        details: { name, now: node.name },
        withoutRead: {
          message: `${JSON.stringify(name)} is an earlier name of another node.`,
          hint: 'Nothing was done. Use a name that no node had before.',
        },
      },
    );
  }
}

function pairKey({ type, name }: Pick<Identity, 'type' | 'name'>): string {
  return JSON.stringify([name, type]);
}

/** A missing id is a bug in the store. */
export function missingNodeId(name: string): never {
  throw new TrellisError('INTERNAL', `The store gave ${JSON.stringify(name)} no node.`);
}

/** A node takes over the edges of the stub of its name, unless one of the nodes has the id of the stub. */
export async function claimStubs(
  rows: RowWriter,
  nodes: readonly Pick<NodeDraft, 'id' | 'name'>[],
  existing: NodesByName,
): Promise<void> {
  const ids = new Set(nodes.map(({ id }) => id));
  for (const { id, name } of nodes) {
    const stub = existing.stub(name);
    if (stub !== undefined && !ids.has(stub.id)) await moveEdges(rows, stub.id, id);
  }
}

/**
 * Moves every edge of one node to another, and removes the first node. Edges between the two become edges of a node to
 * itself; of those that become the same edge, the first stays.
 */
export async function moveEdges(rows: RowWriter, from: NodeId, to: NodeId): Promise<void> {
  const moved = new Map<string, EdgeDraft>();
  for (const edge of await rows.removeNodes([from])) {
    const draft = {
      ...edge,
      from: edge.from === from ? to : edge.from,
      to: edge.to === from ? to : edge.to,
    };
    const key = edgeKey(draft);
    if (!moved.has(key)) moved.set(key, draft);
  }
  await rows.putEdges([...moved.values()]);
}

/** The edges of renamed nodes name them. */
export async function renameEnds(
  rows: RowWriter,
  nodes: readonly Pick<NodeDraft, 'id' | 'name'>[],
): Promise<void> {
  if (nodes.length === 0) return;
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const edges = await rows.edgesOf([...names.keys()]);
  const renamed = edges.map((edge) => ({
    ...edge,
    fromName: names.get(edge.from) ?? edge.fromName,
    toName: names.get(edge.to) ?? edge.toName,
  }));
  await rows.putEdges(
    renamed.filter(
      ({ fromName, toName }, at) => fromName !== edges[at]?.fromName || toName !== edges[at]?.toName,
    ),
  );
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
    await refuseFormerNames(rows, [[meant, name]]);
    others.set(node.id, meant);
    await moveEdges(rows, node.id, meant);
  }
  return others;
}
