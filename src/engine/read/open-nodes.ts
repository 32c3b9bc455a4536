import type { Reader } from '../../store/reader.js';
import type { Subgraph } from '../specs.js';
import { joinFacts } from './facts.js';

/** Nodes by exact name, with every edge that has at least one end among them. Unknown names are left out. */
export async function openNodes(reader: Reader, names: readonly string[]): Promise<Subgraph> {
  const asked = [...new Set(names)];
  // All by name, so that none has to wait for the ids another finds.
  const [named, observations, edges] = await Promise.all([
    reader.nodesNamed(asked),
    reader.observationsNamed(asked),
    reader.edgesNamed(asked),
  ]);
  const nodes = named.filter((node) => !node.stub);
  const ids = new Set(nodes.map((node) => node.id));
  return {
    nodes: await joinFacts(nodes, observations),
    edges: edges.filter((edge) => ids.has(edge.from) || ids.has(edge.to)),
  };
}
