import type { Node } from '../../model/node.js';
import type { WrittenEdge } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import { decodeOffsetCursor, encodeOffsetCursor } from '../read/cursors.js';
import type { ListRequest } from '../read/list-nodes.js';
import { requireNodes } from '../require-nodes.js';
import type { NodeName } from '../specs.js';
import { Frontier } from './frontier.js';

export const neighbourhoodList = 'get_neighborhood';

interface Neighbourhood {
  /** Nearest first, then in creation order. */
  readonly nodes: readonly Node[];
  readonly edges: readonly WrittenEdge[];
  readonly nextCursor?: string;
  /** There are more nodes than could be visited. */
  readonly isCut: boolean;
}

interface NeighbourhoodRequest extends ListRequest {
  readonly depth: number;
  readonly edgeType?: string | undefined;
  /** Leaves out what exceeds it; without it, a very large neighbourhood is an error. */
  readonly maxNodes?: number;
}

/**
 * The nodes within some hops of a node, which comes first, and every edge between them. An edge is on the page of the
 * later of its ends, so that a reader of the pages in order already has both, and gets it once.
 */
export async function neighbourhood(
  reader: Reader,
  node: NodeName,
  { depth, limit, cursor, ...options }: NeighbourhoodRequest,
): Promise<Neighbourhood> {
  const offset = decodeOffsetCursor(neighbourhoodList, cursor);
  const frontier = new Frontier(reader, await requireNodes(reader, node), options);
  const { edgeType } = options;
  const reached: Node[] = [...frontier.layer];
  // Nearer nodes come first, so nothing beyond the page needs to be read.
  while (
    frontier.depth < depth &&
    frontier.layer.length > 0 &&
    !frontier.isCut &&
    reached.length <= offset + limit
  ) {
    await frontier.advance(offset + limit);
    reached.push(...frontier.layer);
  }
  const nodes = reached.slice(offset, offset + limit);
  const shown = new Set(nodes.map(({ id }) => id));
  const edges = await reader.edgesBetween(reached.slice(0, offset + limit).map(({ id }) => id));
  return {
    nodes,
    isCut: frontier.isCut,
    edges: edges.filter(
      ({ from, to, type }) => (shown.has(from) || shown.has(to)) && type === (edgeType ?? type),
    ),
    ...(reached.length > offset + limit
      ? { nextCursor: encodeOffsetCursor(neighbourhoodList, offset + limit) }
      : {}),
  };
}

/** The nodes with the most edges, then others in creation order, and every edge between them. */
export async function hubs(
  reader: Reader,
  limit: number,
  edgeType?: string,
): Promise<Pick<Neighbourhood, 'nodes' | 'edges' | 'isCut'>> {
  const connected = [...(await reader.degrees({ limit })).keys()];
  const found = new Map((await reader.nodesById(connected)).map((node) => [node.id, node]));
  const nodes = connected.flatMap((id) => found.get(id) ?? []).filter(({ stub }) => !stub);
  const first = await reader.nodes({ limit: limit + 1 });
  nodes.push(...first.filter(({ id }) => !found.has(id)).slice(0, limit - nodes.length));
  const edges = await reader.edgesBetween(nodes.map(({ id }) => id));
  return {
    nodes,
    edges: edges.filter(({ type }) => type === (edgeType ?? type)),
    isCut: first.length > limit,
  };
}
