import type { FittedPage, NodePageSource, SubgraphPage } from '../engine/read/fit/fit-page.js';
import type { NodeWithFacts } from '../engine/specs.js';
import { limits } from '../model/limits.js';
import type { Node } from '../model/node.js';
import { listNames } from '../model/quoting.js';
import type { Reader } from '../store/reader.js';
import { outputLength } from './output-length.js';

export interface FactListOptions {
  readonly name: string;
  readonly read: NodePageSource<NodeWithFacts>['read'];
  /** The result that a page becomes. */
  toResult(page: SubgraphPage<NodeWithFacts>): unknown;
  readonly estimateLimit?: NodePageSource<NodeWithFacts>['estimateLimit'];
}

/** For the memory and mesh surfaces, which show facts as strings. */
export function factList({
  name,
  read,
  toResult,
  estimateLimit,
}: FactListOptions): NodePageSource<NodeWithFacts> {
  return {
    name,
    shown: { summaryAndTags: false, facts: true },
    read,
    truncate: (_, node, facts) => ({ node, facts: facts.map(({ text }) => text) }),
    length: (page) => outputLength(toResult(page)),
    estimateLimit,
  };
}

/** What is printed of a node or an edge at least, besides names and types. */
const minLength = 80;

/** How many nodes of the whole graph fit into one result on average; undefined if all may. */
export async function estimateNodesPerPage(reader: Reader): Promise<number | undefined> {
  const { nodes, edges } = await reader.counts();
  const length = (await reader.observationsLength()) + (nodes + edges) * minLength;
  if (length <= limits.answerLength) return undefined;
  return Math.max(1, Math.floor((nodes * limits.answerLength) / (2 * length)));
}

/** Warns of nodes with characters that cannot be stored and are shown as U+FFFD. */
export function withReplacedTextWarning<N extends { readonly node: Node }>(
  { replacedIn }: Reader,
  page: FittedPage<N>,
): FittedPage<N> {
  if (replacedIn.size === 0) return page;
  const names = page.nodes.map(({ node }) => node.name).filter((name) => replacedIn.has(name));
  if (names.length === 0) return page;
  const warning =
    `Texts of ${listNames(names)} contain characters that are not valid text (NUL or half of a surrogate pair), shown as U+FFFD. ` +
    'The file keeps them as they are until the text is deleted or replaced.';
  return { ...page, warnings: [...page.warnings, warning] };
}
