import type { Edge } from '../../model/edge.js';
import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';

/** A page of matches, and the edges that touch them. */
interface Page {
  readonly nodes: readonly { readonly node: Node }[];
  readonly edges: readonly Edge[];
}

/** Keeps those of some nodes that are matches too. */
export type MatchFilter = (nodes: readonly Node[]) => Promise<readonly Node[]>;

const allMatch: MatchFilter = async (nodes) => nodes;

/**
 * A page with the edges between matches alone. An edge stands on the page of the later of its ends, so that whoever reads
 * the pages in order has both by then, and gets it once.
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

/** A page without the edges that earlier pages have shown, with those of their ends that are matches. */
export async function dropEdgesOfEarlierPages<P extends Page>(
  reader: Reader,
  page: P,
  keepMatches: MatchFilter = allMatch,
): Promise<P> {
  const shown = new Set(page.nodes.map(({ node }) => node.id));
  const earlier = await endsOnEarlierPages(reader, page, shown, keepMatches);
  return { ...page, edges: page.edges.filter(({ from, to }) => !earlier.has(from) && !earlier.has(to)) };
}

/** The ends of the page's edges that are matches of earlier pages. */
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
