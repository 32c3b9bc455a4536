import type { Reader } from '../../store/contract.js';
import type { Subgraph } from '../specs.js';
import { withFacts } from './facts.js';

/** Nodes by exact name, with every edge that has at least one end among them. Unknown names are left out. */
export async function openNodes(reader: Reader, names: readonly string[]): Promise<Subgraph> {
  const nodes = (await reader.nodesNamed([...new Set(names)])).filter((node) => !node.stub);
  const [withTheirFacts, edges] = await Promise.all([
    withFacts(reader, nodes),
    reader.edgesOf(nodes.map((node) => node.id)),
  ]);
  return { nodes: withTheirFacts, edges };
}
