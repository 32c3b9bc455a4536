import { NodesByName } from '../../../engine/write/nodes-by-name.js';
import { TrellisError } from '../../../model/error.js';
import type { Node } from '../../../model/node.js';
import type { Reader } from '../../../store/reader.js';

/** The types that have tools of their own, which messages name. */
export type TypesWithTools = Pick<ReadonlySet<string>, 'has'>;

/** A node of another type counts as not found. */
export async function findNodeOfType(
  reader: Reader,
  type: string,
  name: string,
  tools: TypesWithTools,
): Promise<Node> {
  const nodes = await NodesByName.load(reader, [{ name }]);
  const typed = nodes.real({ name, type });
  if (typed !== undefined) return typed;
  const found = nodes.real({ name });
  const message = `${type} ${JSON.stringify(name)} not found`;
  throw new TrellisError('NOT_FOUND', message, {
    hint: found === undefined ? notFoundHint(type) : otherTypeHint(found, tools),
    details: { name, nodeType: type },
    withoutRead: { message, hint: notFoundHint(type) },
  });
}

function notFoundHint(type: string): string {
  return `Nothing was done. Look for its exact name with search_nodes, or create it with add_${type}.`;
}

function otherTypeHint({ name, type }: Node, tools: TypesWithTools): string {
  const way = tools.has(type)
    ? `update_${type} or delete_${type}`
    : 'update_nodes, add_metadata or delete_nodes';
  return `Nothing was done. ${JSON.stringify(name)} is of type ${type}: use ${way}.`;
}
