import { filterYielding, forEachYielding } from '../../../bounds/yielding-loops.js';
import { type Edge, type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { Node, NodeId } from '../../../model/node.js';
import { isRegistryNode } from '../../../model/registry-node.js';
import type { RowReader } from '../../../store/reader.js';

/**
 * A node that comes back takes over the edges of the stub of its name, so these edges are there already.
 * @param mayGo Whether an edge at a stub may be removed before.
 * @returns Those among the wanted ones, by their keys, with the ids that they will have.
 */
export async function edgesAtStubs(
  ours: RowReader,
  returning: readonly Node[],
  wanted: readonly EdgeIdentity[],
  mayGo: (edge: EdgeIdentity) => boolean,
): Promise<ReadonlyMap<string, Edge>> {
  const stubs = await claimedStubs(ours, returning);
  if (stubs.size === 0) return new Map();
  const wantedAt = new Map<string, EdgeIdentity>();
  const atStubs: EdgeIdentity[] = [];
  await forEachYielding(wanted, (edge) => {
    const { from, to, type, key } = edge;
    if (!(stubs.has(from) || stubs.has(to))) return;
    const atStub = { from: stubs.get(from) ?? from, to: stubs.get(to) ?? to, type, key };
    if (mayGo(atStub)) return;
    atStubs.push(atStub);
    wantedAt.set(edgeKey(atStub), edge);
  });
  const found = new Map<string, Edge>();
  await forEachYielding(await ours.edgesByIdentity(atStubs), (edge) => {
    const place = wantedAt.get(edgeKey(edge));
    if (place !== undefined) found.set(edgeKey(place), { ...edge, from: place.from, to: place.to });
  });
  return found;
}

/** The id of the stub that each node claims. */
async function claimedStubs(ours: RowReader, returning: readonly Node[]): Promise<Map<NodeId, NodeId>> {
  const named = await filterYielding(returning, (node) => !isRegistryNode(node));
  const ids = new Set(named.map(({ id }) => id));
  const stubs = new Map<string, NodeId>();
  await forEachYielding(await ours.nodesNamed([...new Set(named.map(({ name }) => name))]), (node) => {
    if (node.stub && !ids.has(node.id)) stubs.set(node.name, node.id);
  });
  const claimed = new Map<NodeId, NodeId>();
  await forEachYielding(named, ({ id, name }) => {
    const stub = stubs.get(name);
    if (stub === undefined) return;
    claimed.set(id, stub);
    // The first node of a name claims it.
    stubs.delete(name);
  });
  return claimed;
}
