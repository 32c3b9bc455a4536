import type { Edge } from '../../model/edge.js';
import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';

interface Page {
  readonly nodes: readonly { readonly node: Node }[];
  readonly edges: readonly Edge[];
}

export type MatchFilter = (nodes: readonly Node[]) => Promise<readonly Node[]>;

const allMatch: MatchFilter = async (nodes) => nodes;

/**
 * Keeps edges between matches only. An edge is on the page of the later of its ends, so that a reader of the pages in
 * order already has both, and gets it once.
 */
export async function keepEdgesBetweenMatches<P extends Page>(
  reader: Reader,
  page: P,
  keepMatches: MatchFilter = allMatch,
): Promise<P> {
  const shown = new Set(page.nodes.map(({ node }) => node.id));
  const earlier = await endsOnEarlierPages(reader, page, shown, keepMatches);
  return {
    ...page,
    edges: page.edges.filter(
      ({ from, to }) =>
        (shown.has(from) || shown.has(to)) && [from, to].every((end) => shown.has(end) || earlier.has(end)),
    ),
  };
}

/** Drops edges that earlier pages have shown. */
export async function dropEdgesOfEarlierPages<P extends Page>(
  reader: Reader,
  page: P,
  keepMatches: MatchFilter = allMatch,
): Promise<P> {
  const shown = new Set(page.nodes.map(({ node }) => node.id));
  const earlier = await endsOnEarlierPages(reader, page, shown, keepMatches);
  return { ...page, edges: page.edges.filter(({ from, to }) => !earlier.has(from) && !earlier.has(to)) };
}

async function endsOnEarlierPages(
  reader: Reader,
  { nodes: page, edges }: Page,
  shown: ReadonlySet<NodeId>,
  keepMatches: MatchFilter,
): Promise<ReadonlySet<NodeId>> {
  const first = page[0]?.node.order;
  const elsewhere = new Set(edges.flatMap(({ from, to }) => [from, to]).filter((end) => !shown.has(end)));
  if (first === undefined || elsewhere.size === 0) return new Set();
  const nodes = await reader.nodesById([...elsewhere]);
  const earlier = nodes.filter((node) => !node.stub && compareOrder(node.order, first) < 0);
  return new Set((await keepMatches(earlier)).map(({ id }) => id));
}
