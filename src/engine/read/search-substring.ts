import { compareOrder, type Order } from '../../model/order.js';
import type { Reader } from '../../store/contract.js';
import type { NodeWithFacts, Subgraph } from '../specs.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { withFacts } from './facts.js';
import { cutPage, type PageRequest } from './page.js';
import { readGraph } from './read-graph.js';

/** How many candidates are read and verified at a time when only a page of them is wanted. */
const verifyBatch = 200;

/** Nodes whose name, type or any fact contains the query, ignoring case as JavaScript lower-cases; in creation order. */
export async function searchSubstring(
  reader: Reader,
  query: string,
  request: PageRequest = {},
): Promise<Subgraph> {
  const needle = query.toLowerCase();
  if (needle === '') return everyNode(reader, request);
  const wanted = request.limit === undefined ? undefined : request.limit + 1;
  const found: NodeWithFacts[] = [];
  const candidates = await candidateNodes(reader, needle, request);
  const batchSize = wanted === undefined ? Math.max(1, candidates.length) : Math.max(verifyBatch, wanted);
  for (let at = 0; at < candidates.length; at += batchSize) {
    const batch = await withFacts(reader, candidates.slice(at, at + batchSize));
    found.push(...batch.filter((candidate) => contains(candidate, needle)));
    if (wanted !== undefined && found.length >= wanted) break;
  }
  const { page, more } = cutPage(found, request.limit);
  const last = page.at(-1);
  return {
    nodes: page,
    edges: await reader.edgesOf(page.map(({ node }) => node.id)),
    ...(more && last ? { nextCursor: encodeCursor(last.node.order) } : {}),
  };
}

/** An empty query matches every node; edges that touch none of them are not part of a search. */
async function everyNode(reader: Reader, request: PageRequest): Promise<Subgraph> {
  const all = await readGraph(reader, request);
  const ids = new Set(all.nodes.map(({ node }) => node.id));
  return { ...all, edges: all.edges.filter((edge) => ids.has(edge.from) || ids.has(edge.to)) };
}

async function candidateNodes(reader: Reader, needle: string, { cursor, types }: PageRequest) {
  const after: Order | undefined = cursor === undefined ? undefined : decodeCursor(cursor);
  const nodes = await reader.nodesById(await reader.nodesContaining(needle));
  return nodes.filter(
    (node) =>
      !node.stub &&
      (types === undefined || types.includes(node.type)) &&
      (after === undefined || compareOrder(node.order, after) > 0),
  );
}

function contains({ node, facts }: NodeWithFacts, needle: string): boolean {
  const has = (text: string) => text.toLowerCase().includes(needle);
  return has(node.name) || has(node.type) || facts.some(has);
}
