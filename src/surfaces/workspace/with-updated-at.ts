import type { ListPage } from '../../engine/read/list-nodes.js';
import type { ModifiedNode } from '../../engine/read/recently-modified.js';
import type { Node } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';

/** Says of each node when it last changed. */
export async function withUpdatedAt(
  reader: Reader,
  { items, ...next }: ListPage<Node>,
): Promise<ListPage<ModifiedNode>> {
  const updated = await reader.updatedAt(items.map(({ id }) => id));
  return {
    items: items.map((node) => ({ node, updatedAt: updated.get(node.id) ?? node.createdAt })),
    ...next,
  };
}
