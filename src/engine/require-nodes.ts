import { TrellisError } from '../model/error.js';
import type { Node } from '../model/node.js';
import type { Reader } from '../store/reader.js';
import { isOfType, type NodeName } from './specs.js';
import { ambiguousName, NodesByName } from './write/nodes-by-name.js';

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

/** For readers that name the argument `type`. */
export async function requireNodeOfType(reader: Reader, wanted: NodeName): Promise<Node> {
  const known = await requireNodes(reader, wanted);
  // Others had the name before they were renamed.
  const named = known.filter(({ name }) => name === wanted.name);
  const [first = known[0], ...others] = named.length > 0 ? named : known;
  if (others.length === 0) return first;
  const types = [first, ...others].map(({ type }) => type);
  throw ambiguousName(wanted.name, types, 'type');
}

function throwNodeNotFound({ name, type }: NodeName): never {
  const of = type === undefined ? '' : ` of type '${type}'`;
  throw new TrellisError('NOT_FOUND', `Node '${name}'${of} not found.`, {
    hint: 'Names are case-sensitive; look for the exact one with search_nodes.',
    details: { name },
  });
}
