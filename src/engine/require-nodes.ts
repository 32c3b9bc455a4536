import { TrellisError } from '../model/error.js';
import type { Node } from '../model/node.js';
import type { Reader } from '../store/reader.js';
import { isOfType, type NodeName } from './specs.js';
import { NodesByName } from './write/nodes-by-name.js';

/** Every real node of that name; none is an error. */
export async function requireNodes(reader: Reader, called: NodeName): Promise<readonly [Node, ...Node[]]> {
  const named = await reader.nodesNamed([called.name]);
  const [first, ...others] = named.filter((node) => !node.stub && isOfType(node, called.type));
  return first === undefined ? throwNodeNotFound(called) : [first, ...others];
}

/** The one real node of that name, for what is about one: none is an error, and so are several. */
export async function requireNode(reader: Reader, called: NodeName): Promise<Node> {
  return (await NodesByName.load(reader, [called.name])).real(called) ?? throwNodeNotFound(called);
}

/** Refuses a name that no node has. */
function throwNodeNotFound({ name, type }: NodeName): never {
  const of = type === undefined ? '' : ` of type '${type}'`;
  throw new TrellisError('NOT_FOUND', `Node '${name}'${of} not found.`, {
    hint: 'Names are case-sensitive; look for the exact one with search_nodes.',
    details: { name },
  });
}
