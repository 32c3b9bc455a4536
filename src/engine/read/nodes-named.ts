import type { Reader } from '../../store/reader.js';
import type { NodeWithFacts } from '../specs.js';
import { joinFacts } from './facts.js';

/** Nodes by exact name, without their edges. Unknown names are left out. */
export async function nodesNamed(reader: Reader, names: readonly string[]): Promise<NodeWithFacts[]> {
  const asked = [...new Set(names)];
  const [nodes, observations] = await Promise.all([
    reader.nodesNamed(asked),
    reader.observationsNamed(asked),
  ]);
  return joinFacts(
    nodes.filter((node) => !node.stub),
    observations,
  );
}
