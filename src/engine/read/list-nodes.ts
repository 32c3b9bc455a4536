import type { Node } from '../../model/node.js';
import type { Order } from '../../model/order.js';
import type { RowPage } from '../../store/read-requests.js';
import type { TalliedNode } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import { decodeOrderCursor, encodeOrderCursor } from './cursors.js';
import { type PageRequest, paginate } from './page.js';

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export interface ListRequest extends Pick<PageRequest, 'cursor'> {
  readonly limit: number;
}

interface NodeListRequest extends ListRequest {
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
}

/** @param list The name of the tool, for its cursors. */
export function listNodes(
  reader: Reader,
  list: string,
  { type, tag, ...request }: NodeListRequest,
): Promise<ListPage<Node>> {
  const types = type === undefined ? undefined : [type];
  return listInOrder(
    reader,
    list,
    request,
    (page) =>
      tag === undefined ? reader.nodes({ ...page, types }) : taggedNodes(reader, tag, { ...page, types }),
    orderOfNode,
  );
}

const scanSize = 1_000;

async function taggedNodes(reader: Reader, tag: string, page: RowPage): Promise<Node[]> {
  const found: Node[] = [];
  const { limit = Number.POSITIVE_INFINITY } = page;
  for (let after = page.after; found.length < limit; ) {
    const nodes = await reader.nodes({ ...page, after, limit: scanSize });
    found.push(...nodes.filter(({ tags }) => tags.includes(tag)));
    if (nodes.length < scanSize) break;
    after = nodes.at(-1)?.order;
  }
  return found.slice(0, limit);
}

export function orphanNodes(reader: Reader, request: ListRequest): Promise<ListPage<Node>> {
  return listInOrder(reader, 'get_orphans', request, (page) => reader.nodesWithoutEdges(page), orderOfNode);
}

/** Nodes whose summary is missing or older than their newest observation, in creation order. */
export function pendingSummaries(reader: Reader, request: ListRequest): Promise<ListPage<TalliedNode>> {
  return listInOrder(
    reader,
    'get_pending_consolidation',
    request,
    (page) => reader.nodesToSummarise(page),
    ({ node }) => node.order,
  );
}

async function listInOrder<T>(
  reader: Reader,
  list: string,
  { limit, cursor }: ListRequest,
  read: (page: RowPage) => Promise<T[]>,
  orderOf: (item: T) => Order,
): Promise<ListPage<T>> {
  const after = cursor === undefined ? undefined : decodeOrderCursor(list, cursor, reader);
  const { page, more } = paginate(await read({ after, limit: limit + 1 }), limit);
  const last = page.at(-1);
  return {
    items: page,
    ...(more && last ? { nextCursor: encodeOrderCursor(list, orderOf(last), reader) } : {}),
  };
}

function orderOfNode({ order }: Node): Order {
  return order;
}
