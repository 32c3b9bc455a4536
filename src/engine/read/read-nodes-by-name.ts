import type { Reader } from '../../store/reader.js';
import { matchesName, type NodeName, type NodeWithFacts } from '../specs.js';
import { joinFacts } from './facts.js';

/** Nodes by exact name, without edges. Skips unknown names. */
export async function readNodesByName(reader: Reader, names: readonly NodeName[]): Promise<NodeWithFacts[]> {
  const asked = [...new Set(names.map(({ name }) => name))];
  const [nodes, observations] = await Promise.all([
    reader.nodesNamed(asked),
    reader.observationsNamed(asked),
  ]);
  return joinFacts(
    nodes.filter((node) => !node.stub && names.some((name) => matchesName(name, node))),
    observations,
  );
}
