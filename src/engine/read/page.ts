export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** Reads of more nodes count as long. */
const shortReadNodes = 200;

/** Undefined for all nodes. */
export function pageReadLength(nodes: number | undefined): 'short' | 'linear' {
  return nodes === undefined || nodes > shortReadNodes ? 'linear' : 'short';
}

/** Cuts a list that was read one item too far, to know whether another page exists. */
export function paginate<T>(
  items: readonly T[],
  limit: number | undefined,
): { page: readonly T[]; more: boolean } {
  if (limit === undefined || items.length <= limit) return { page: items, more: false };
  return { page: items.slice(0, limit), more: true };
}
