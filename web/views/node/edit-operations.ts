import type { Edge, NodeRef } from '../../api/types.js';

/** Sets parts of a node; null removes a property. */
export function updateOf({ name, type }: NodeRef, set: object, ifCommit: string): object {
  return { op: 'update_node', name, type, set, if_commit: ifCommit };
}

export function edgeOperation(
  op: 'add_edge' | 'delete_edge',
  { from, to, type, key }: Pick<Edge, 'from' | 'to' | 'type' | 'key'>,
): object {
  return { op, from: from.name, to: to.name, type, ...(key === undefined || key === '' ? {} : { key }) };
}

export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'Write JSON, such as 12, true, "text" or ["a", "b"].';
  }
}
