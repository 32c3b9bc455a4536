import type { NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import type { Subgraph } from '../specs.js';
import type { PageRequest } from './page.js';
import { readGraph } from './read-graph.js';

/**
 * The whole graph, or a page of it, with edges whose ends are both nodes. On pages an edge stands with the later of its
 * ends, so that whoever reads them in order has both by then, and gets it once.
 */
export async function readBetweenNodes(reader: Reader, request: PageRequest = {}): Promise<Subgraph> {
  const page = await readGraph(reader, request);
  const shown = new Set(page.nodes.map(({ node }) => node.id));
  const earlier = await earlierEnds(reader, page, shown);
  return {
    ...page,
    edges: page.edges.filter(
      ({ from, to }) =>
        (shown.has(from) || shown.has(to)) && [from, to].every((end) => shown.has(end) || earlier.has(end)),
    ),
  };
}

/** The ends of the page's edges that stand on earlier pages. */
async function earlierEnds(
  reader: Reader,
  { nodes: page, edges }: Subgraph,
  shown: ReadonlySet<NodeId>,
): Promise<ReadonlySet<NodeId>> {
  const first = page[0]?.node.order;
  const elsewhere = new Set(edges.flatMap(({ from, to }) => [from, to]).filter((end) => !shown.has(end)));
  if (first === undefined || elsewhere.size === 0) return new Set();
  const nodes = await reader.nodesById([...elsewhere]);
  return new Set(
    nodes.filter((node) => !node.stub && compareOrder(node.order, first) < 0).map(({ id }) => id),
  );
}
