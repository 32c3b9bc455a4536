import { TrellisError } from '../model/error.js';
import type { Node } from '../model/node.js';
import type { Reader } from '../store/reader.js';
import { NodesByName } from './write/find-node.js';

/** Every real node of that name; none is an error. */
export async function nodesCalled(reader: Reader, name: string): Promise<readonly [Node, ...Node[]]> {
  const [first, ...others] = (await reader.nodesNamed([name])).filter((node) => !node.stub);
  return first === undefined ? noNodeCalled(name) : [first, ...others];
}

/** The one real node of that name, for a write: none is an error, and so are several. */
export async function nodeCalled(reader: Reader, name: string): Promise<Node> {
  return (await NodesByName.of(reader, [name])).real(name) ?? noNodeCalled(name);
}

/** Refuses a name that no node has. */
function noNodeCalled(name: string): never {
  throw new TrellisError('NOT_FOUND', `Node '${name}' not found.`, {
    hint: 'Names are case-sensitive; look for the exact one with search_nodes.',
    details: { name },
  });
}
