import type { Node } from '../../model/node.js';
import { searchRanked } from '../../search/ranked.js';
import type { Reader } from '../../store/contract.js';
import { stems } from '../../store/text/words.js';
import type { FindRequest, Found, FoundText, WorkspaceSearch } from './search.js';

const reason = 'No embedder is configured: the answer was found by its words.';

export const textSearch: WorkspaceSearch = {
  async find(reader, query, request) {
    const found =
      request.node === undefined
        ? await overall(reader, query, request)
        : await within(reader, query, request.node);
    return { ...found, ...(request.mode === 'text' ? {} : { degraded: reason }) };
  },
  async similar() {
    return { pairs: [], degraded: reason };
  },
  async coverage(reader) {
    return (await reader.counts()).observations === 0 ? 1 : 0;
  },
};

async function overall(reader: Reader, query: string, { limit, cursor }: FindRequest): Promise<Found> {
  const { nodes, nextCursor } = await searchRanked(reader, query, { limit, cursor });
  const words = new Set(stems(query));
  return {
    hits: nodes.map(({ node, facts }) => best(node, [node.name, node.summary ?? '', ...facts], words)),
    nextCursor,
  };
}

async function within(reader: Reader, query: string, id: number): Promise<Found> {
  const words = new Set(stems(query));
  const [node] = await reader.nodesById([id]);
  if (node === undefined) return { hits: [] };
  const hits = (await reader.observationsOf([id]))
    .map(({ ordinal, text }) => ({ node, ordinal, text, score: share(text, words), perspective: null }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return { hits };
}

function best(node: Node, texts: readonly string[], words: ReadonlySet<string>): FoundText {
  const [first] = texts
    .map((text) => ({ text, score: share(text, words) }))
    .sort((a, b) => b.score - a.score);
  return { node, ordinal: null, text: first?.text ?? '', score: first?.score ?? 0, perspective: null };
}

function share(text: string, words: ReadonlySet<string>): number {
  return new Set(stems(text).filter((stem) => words.has(stem))).size / Math.max(1, words.size);
}
