import type { NodePageSource, SubgraphPage } from '../engine/read/fit/fit-page.js';
import type { NodeWithFacts } from '../engine/specs.js';
import { limits } from '../model/limits.js';
import type { Reader } from '../store/reader.js';
import { outputLength } from './output-length.js';

/** What tells one list of nodes with their facts from another. */
export interface FactListOptions {
  readonly name: string;
  readonly read: NodePageSource<NodeWithFacts>['read'];
  /** The answer that a page becomes. */
  answer(page: SubgraphPage<NodeWithFacts>): unknown;
  readonly guess?: NodePageSource<NodeWithFacts>['estimateLimit'];
}

/** A list of nodes with their facts as strings: what the memory and the mesh surface show. */
export function factList({ name, read, answer, guess }: FactListOptions): NodePageSource<NodeWithFacts> {
  return {
    name,
    shown,
    read,
    truncate: cut,
    length: (page) => outputLength(answer(page)),
    estimateLimit: guess,
  };
}

const shown = { summaryAndTags: false, facts: true };

const cut: NodePageSource<NodeWithFacts>['truncate'] = (_, node, facts) => ({
  node,
  facts: facts.map(({ text }) => text),
});

// The least that is printed of a node and of an edge, besides their names and types.
const nodeOverhead = 80;
const edgeOverhead = 80;

/** How many nodes of the whole graph fit into one answer, on average; undefined if all may. */
export async function estimateNodesPerPage(reader: Reader): Promise<number | undefined> {
  const { nodes, edges } = await reader.counts();
  const length = (await reader.observationsLength()) + nodes * nodeOverhead + edges * edgeOverhead;
  if (length <= limits.answerLength) return undefined;
  return Math.max(1, Math.floor((nodes * limits.answerLength) / (2 * length)));
}
