import { openNodes } from '../../src/engine/read/open-nodes.js';
import { readGraph } from '../../src/engine/read/read-graph.js';
import { searchSubstring } from '../../src/engine/read/search-substring.js';
import type { Subgraph } from '../../src/engine/specs.js';
import type { Edge } from '../../src/model/edge.js';
import type { Node } from '../../src/model/node.js';
import { searchRanked } from '../../src/search/search-ranked.js';
import type { ReadTarget } from '../../src/store/graph-targets.js';
import type { Reader } from '../../src/store/reader.js';
import type { Store } from '../../src/store/store-contract.js';

/** What to ask of both stores. */
export interface Questions {
  readonly names: readonly string[];
  readonly needles: readonly string[];
  readonly words: string;
  readonly limit: number;
}

/** Asks a state of the graph everything an agent can, and answers without what a store numbers for itself. */
export function look(store: Store, target: ReadTarget, questions: Questions): Promise<unknown> {
  return store.read(target, async (reader) => {
    const nodes = (await reader.nodesNamed(questions.names)).map(({ id }) => id);
    const updated = await reader.updatedAt(nodes);
    return {
      counts: await reader.counts(),
      open: plain(await openNodes(reader, questions.names)),
      stubs: (await reader.stubs()).map(plainNode),
      alike: await alike(reader, questions.names),
      updated: nodes.map((id) => updated.get(id)),
      pages: await twoPages((cursor) => readGraph(reader, { limit: questions.limit, cursor })),
      searches: await searches(reader, questions),
      ranked: await twoPages((cursor) => searchRanked(reader, questions.words, { limit: 5, cursor })),
    };
  });
}

/** Nodes that have a property in common with one of those named. */
async function alike(reader: Reader, names: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { type, props } of await reader.nodesNamed(names)) {
    const { year } = props;
    if (typeof year === 'number') found.push((await reader.nodesMatching(type, { year })).map(plainNode));
  }
  return found;
}

async function searches(reader: Reader, { needles, limit }: Questions): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const needle of needles) {
    found.push(plain(await searchSubstring(reader, needle)));
    found.push(await twoPages((cursor) => searchSubstring(reader, needle, { limit, cursor })));
  }
  return found;
}

/** Cursors hold a store's own numbers, so each is handed back to the store it came from. */
async function twoPages(page: (cursor?: string) => Promise<Subgraph>): Promise<unknown[]> {
  const first = await page();
  return first.nextCursor === undefined
    ? [plain(first), 'no more']
    : [plain(first), plain(await page(first.nextCursor))];
}

function plain({ nodes, edges, nextCursor }: Subgraph): object {
  return {
    nodes: nodes.map(({ node, facts }) => ({ ...plainNode(node), facts })),
    edges: edges.map(plainEdge),
    more: nextCursor !== undefined,
  };
}

function plainNode({ id, order, ...node }: Node): object {
  const { row, branch, ...rest } = { row: undefined, branch: undefined, ...node };
  return { ...rest, position: order.position };
}

function plainEdge({ from, to, order, ...edge }: Edge): object {
  const { row, branch, born, ...rest } = { row: undefined, branch: undefined, born: undefined, ...edge };
  return { ...rest, position: order.position };
}
