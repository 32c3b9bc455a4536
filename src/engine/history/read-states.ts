import { type Edge, type EdgeIdentity, edgeKey } from '../../model/edge.js';
import type { NodeId, Observation } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import type { NodeState } from './graph-diff.js';

export async function readNodeStates(
  reader: Reader,
  ids: readonly NodeId[],
): Promise<Map<NodeId, NodeState>> {
  const nodes = (await reader.nodesById(ids)).filter((node) => !node.stub);
  const observations = new Map<NodeId, Observation[]>(nodes.map(({ id }) => [id, []]));
  for (const observation of await reader.observationsOf([...observations.keys()])) {
    observations.get(observation.node)?.push(observation);
  }
  return new Map(nodes.map((node) => [node.id, { node, observations: observations.get(node.id) ?? [] }]));
}

export async function readEdges(
  reader: Reader,
  identities: readonly EdgeIdentity[],
): Promise<Map<string, Edge>> {
  return new Map((await reader.edgesByIdentity(identities)).map((edge) => [edgeKey(edge), edge]));
}
