import { TrellisError } from '../model/error.js';
import type { Node } from '../model/node.js';
import type { Reader } from '../store/reader.js';
import { isOfType, type NodeName } from './specs.js';
import { NodesByName } from './write/nodes-by-name.js';

/** Throws if there is none. */
export async function requireNodes(reader: Reader, wanted: NodeName): Promise<readonly [Node, ...Node[]]> {
  const named = await reader.nodesNamed([wanted.name]);
  const [first, ...others] = named.filter((node) => !node.stub && isOfType(node, wanted.type));
  return first === undefined ? throwNodeNotFound(wanted) : [first, ...others];
}

/** Throws if there is none, or more than one. */
export async function requireNode(reader: Reader, wanted: NodeName): Promise<Node> {
  return (await NodesByName.load(reader, [wanted])).real(wanted) ?? throwNodeNotFound(wanted);
}

function throwNodeNotFound({ name, type }: NodeName): never {
  const of = type === undefined ? '' : ` of type '${type}'`;
  throw new TrellisError('NOT_FOUND', `Node '${name}'${of} not found.`, {
    hint: 'Names are case-sensitive; look for the exact one with search_nodes.',
    details: { name },
  });
}
