import type { Edge } from '../../model/edge.js';
import type { Node } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import type { Subgraph } from '../specs.js';
import { decodeOrderCursor, encodeOrderCursor } from './cursors.js';
import { joinFacts, withFacts } from './facts.js';
import { type PageRequest, paginate } from './page.js';

export const graphList = 'read_graph';

export async function readGraph(
  reader: Reader,
  request: PageRequest = {},
  list: string = graphList,
): Promise<Subgraph> {
  const { limit, cursor, types } = request;
  if (limit === undefined && cursor === undefined && types === undefined) {
    const nodes = await reader.nodes();
    return { nodes: await joinFacts(nodes, await reader.observations()), edges: await reader.edges() };
  }
  const after = cursor === undefined ? undefined : decodeOrderCursor(list, cursor, reader);
  const found = await reader.nodes({ after, types, limit: limit === undefined ? undefined : limit + 1 });
  const { page, more } = paginate(found, limit);
  const last = page.at(-1);
  const edges = await reader.edgesOf(page.map((node) => node.id));
  if (!more && types === undefined) edges.push(...(await edgesOfStubsOnly(reader)));
  return {
    nodes: await withFacts(reader, page),
    edges,
    ...(more && last ? { nextCursor: encodeOrderCursor(list, last.order, reader) } : {}),
  };
}

/** Edges between stubs belong to no page of nodes; the last page has them, so that none is lost. */
async function edgesOfStubsOnly(reader: Reader): Promise<Edge[]> {
  const stubs = new Map((await reader.stubs()).map((stub: Node) => [stub.id, stub]));
  const edges = await reader.edgesOf([...stubs.keys()]);
  return edges.filter((edge) => stubs.has(edge.from) && stubs.has(edge.to));
}
