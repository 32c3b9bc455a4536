/** Which part of a list to answer with. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Only nodes of these types. */
  readonly types?: readonly string[] | undefined;
}

/** A read of more nodes than these is as long as one of much of a graph. */
const shortReadNodes = 200;

/** How long a read of so many nodes is; undefined: of all there are. */
export function pageReadLength(nodes: number | undefined): 'short' | 'linear' {
  return nodes === undefined || nodes > shortReadNodes ? 'linear' : 'short';
}

/** Cuts a list that was read one item too far, so that a further page is known to exist. */
export function paginate<T>(
  items: readonly T[],
  limit: number | undefined,
): { page: readonly T[]; more: boolean } {
  if (limit === undefined || items.length <= limit) return { page: items, more: false };
  return { page: items.slice(0, limit), more: true };
}
