import type { Edge, NodeRef } from '../../api/types.js';
import type { EditOperation } from '../../state/save-edit.js';

/** Sets parts of a node; null removes a property. */
export function updateOf({ name, type }: NodeRef, set: object, ifCommit: string | undefined): EditOperation {
  return { op: 'update_node', name, type, set, if_commit: ifCommit };
}

export function edgeOperation(
  op: 'add_edge' | 'delete_edge',
  { from, to, type, key }: Pick<Edge, 'from' | 'to' | 'type' | 'key'>,
): EditOperation {
  // A node that was typed by name alone has no type.
  const typed = (name: 'from_type' | 'to_type', value: string) => (value === '' ? {} : { [name]: value });
  return {
    ...{ op, type, from: from.name, to: to.name },
    ...{ ...typed('from_type', from.type), ...typed('to_type', to.type) },
    ...(key === undefined || key === '' ? {} : { key }),
  };
}

export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'Write JSON, such as 12, true, "text" or ["a", "b"].';
  }
}
