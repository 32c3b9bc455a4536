import type { Node } from '../../model/node.js';
import type { TouchPage } from '../../store/read-requests.js';
import type { NodeTouch } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import { decodeNumbersCursor, encodeNumbersCursor } from './cursors.js';
import type { ListPage, ListRequest } from './list-nodes.js';

/** A node and when it or one of its observations last changed. */
export interface ModifiedNode {
  readonly node: Node;
  readonly updatedAt: number;
}

/** One commit may have touched very many nodes. */
const batchSize = 500;

export interface TouchedNode extends ModifiedNode {
  readonly touch: NodeTouch;
}

/** Last changed first. */
export async function recentlyModified(
  reader: Reader,
  since: number,
  { limit, cursor }: ListRequest,
  keep: (item: TouchedNode) => boolean = () => true,
): Promise<ListPage<TouchedNode>> {
  const found: TouchedNode[] = [];
  let before = cursor === undefined ? undefined : decodeTouchCursor(cursor);
  // The commits of a branch are ordered by time, so the first one too old ends the search.
  for (let done = false; !done && found.length <= limit; ) {
    const touches = await reader.touches({ before, limit: batchSize });
    const recent = touches.filter(({ time }) => time >= since);
    done = touches.length < batchSize || recent.length < touches.length;
    before = touches.at(-1);
    found.push(...(await lastChanges(reader, recent)).filter(keep));
  }
  const last = found[limit - 1]?.touch;
  return {
    items: found.slice(0, limit),
    ...(found.length > limit && last !== undefined ? { nextCursor: encodeTouchCursor(last) } : {}),
  };
}

async function lastChanges(reader: Reader, touches: readonly NodeTouch[]): Promise<TouchedNode[]> {
  const ids = [...new Set(touches.map(({ node }) => node))];
  const [nodes, last] = await Promise.all([reader.nodesById(ids), reader.lastTouched(ids)]);
  const real = new Map(nodes.filter(({ stub }) => !stub).map((node) => [node.id, node]));
  return touches.flatMap((touch) => {
    const node = real.get(touch.node);
    if (node === undefined || last.get(touch.node)?.seq !== touch.seq) return [];
    return [{ node, updatedAt: touch.time, touch }];
  });
}

function encodeTouchCursor({ seq, node }: NodeTouch): string {
  return encodeNumbersCursor('get_recently_modified', [seq, node]);
}

function decodeTouchCursor(cursor: string): TouchPage['before'] {
  const [seq = 0, node = 0] = decodeNumbersCursor('get_recently_modified', 2, cursor);
  return { seq, node };
}
