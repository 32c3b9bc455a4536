import { limits } from '../../model/limits.js';
import type { Node } from '../../model/node.js';
import { compareOrder, type Order } from '../../model/order.js';
import { checkText } from '../../model/text.js';
import type { Reader } from '../../store/reader.js';
import type { NodeWithFacts, Subgraph } from '../specs.js';
import { decodeOrderCursor, encodeOrderCursor } from './cursors.js';
import { withFacts } from './facts.js';
import { type PageRequest, paginate } from './page.js';
import { readGraph } from './read-graph.js';

export const searchList = 'search_nodes';

const verifyBatch = 200;
/** With more candidates, walking the graph in order fills a page sooner than sorting them all. */
const sortableCandidates = 5_000;

/** No index covers fewer than three characters: every text is read. */
export function searchReadLength(query: string): 'short' | 'linear' {
  return query.length < 3 ? 'linear' : 'short';
}

/**
 * Nodes whose name, type or any fact contains the query, ignoring case as JavaScript lower-cases; in creation order.
 */
export async function searchSubstring(
  reader: Reader,
  query: string,
  request: PageRequest = {},
): Promise<Subgraph> {
  const needle = checkText(query, 'The query', limits.queryLength).toLowerCase();
  if (needle === '') return readEveryNode(reader, request);
  const { page, more } = paginate(await verifiedMatches(reader, needle, request), request.limit);
  const last = page.at(-1);
  return {
    nodes: page,
    edges: await reader.edgesOf(page.map(({ node }) => node.id)),
    ...(more && last ? { nextCursor: encodeOrderCursor(searchList, last.node.order, reader) } : {}),
  };
}

export async function filterMatches(
  reader: Reader,
  query: string,
  nodes: readonly Node[],
  types?: readonly string[],
): Promise<readonly Node[]> {
  const needle = query.toLowerCase();
  const ofTypes = types === undefined ? nodes : nodes.filter(({ type }) => types.includes(type));
  const known = await withFacts(reader, ofTypes);
  return known.filter((candidate) => contains(candidate, needle)).map(({ node }) => node);
}

/** An empty query matches every node; edges that touch none are not part of a search. */
async function readEveryNode(reader: Reader, request: PageRequest): Promise<Subgraph> {
  const all = await readGraph(reader, request, searchList);
  const ids = new Set(all.nodes.map(({ node }) => node.id));
  return { ...all, edges: all.edges.filter((edge) => ids.has(edge.from) || ids.has(edge.to)) };
}

/** Returns one more than the limit, if there is one. */
async function verifiedMatches(
  reader: Reader,
  needle: string,
  request: PageRequest,
): Promise<NodeWithFacts[]> {
  const contained = (candidate: NodeWithFacts) => contains(candidate, needle);
  const { limit } = request;
  const most = limit === undefined ? undefined : sortableCandidates;
  const candidates = await candidateNodes(reader, needle, request, most);
  if (candidates !== undefined && (limit === undefined || candidates.length <= verifyBatch))
    return (await withFacts(reader, candidates)).filter(contained);
  const found: NodeWithFacts[] = [];
  for await (const batch of batches(reader, request, candidates)) {
    found.push(...(await withFacts(reader, batch)).filter(contained));
    if (limit !== undefined && found.length > limit) break;
  }
  return found;
}

/** The candidates, or all nodes if those are too many, in creation order. */
async function* batches(
  reader: Reader,
  request: PageRequest,
  candidates: readonly Node[] | undefined,
): AsyncGenerator<readonly Node[]> {
  if (candidates !== undefined) {
    for (let at = 0; at < candidates.length; at += verifyBatch) yield candidates.slice(at, at + verifyBatch);
    return;
  }
  for (let after = startOf(reader, request); ; ) {
    const batch = await reader.nodes({ after, types: request.types, limit: verifyBatch });
    yield batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < verifyBatch) return;
    after = last.order;
  }
}

/** In creation order; undefined if there are more than `limit`. */
async function candidateNodes(reader: Reader, needle: string, request: PageRequest, limit?: number) {
  const after = startOf(reader, request);
  const hits = await reader.nodesContaining(needle, limit);
  if (hits.truncated) return undefined;
  const nodes = await reader.nodesById(hits.nodes);
  return nodes.filter(
    (node) =>
      !node.stub &&
      (request.types === undefined || request.types.includes(node.type)) &&
      (after === undefined || compareOrder(node.order, after) > 0),
  );
}

function startOf(reader: Reader, { cursor }: PageRequest): Order | undefined {
  return cursor === undefined ? undefined : decodeOrderCursor(searchList, cursor, reader);
}

function contains({ node, facts }: NodeWithFacts, needle: string): boolean {
  const has = (text: string) => text.toLowerCase().includes(needle);
  return has(node.name) || has(node.type) || facts.some(has);
}
