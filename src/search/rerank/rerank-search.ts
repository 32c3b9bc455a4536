import type { PreparedSearch, Reranking, SemanticHits } from '../search-hits.js';
import type { RankedText } from '../text/rank-texts.js';
import type { Reranker } from './http-reranker.js';

/** Runs a search in a read of its own, for its best hits within the same scope. */
export type ReadCandidates = (find: PreparedSearch, limit: number) => Promise<SemanticHits>;

/** The same search, with its best texts in the reranker's order. Calls the reranker between two reads, never in one. */
export async function rerankSearch(
  find: PreparedSearch,
  query: string,
  reranker: Reranker,
  readCandidates: ReadCandidates,
): Promise<PreparedSearch> {
  const { hits } = await readCandidates(find, reranker.candidates);
  if (hits.length < 2) return find;
  const result = await reranker.score(
    query,
    hits.map(({ text }) => text),
  );
  if (!result.known) {
    const { reason } = result;
    return async (reader, request) => ({ ...(await find(reader, request)), notReranked: reason });
  }
  const scores = new Map<string, number>();
  for (const [place, { node, ordinal, text }] of hits.entries()) {
    const score = result.scores[place];
    if (score !== undefined) scores.set(keyOf({ node: node.id, ordinal, text }), score);
  }
  const reranking: Reranking = {
    candidates: reranker.candidates,
    apply: (ranked) => inOrderOf(scores, ranked),
  };
  return (reader, request) => find(reader, { ...request, reranking });
}

/** Texts with a score come first; the others, and ties, keep their order. */
function inOrderOf<T extends RankedText>(scores: ReadonlyMap<string, number>, ranked: readonly T[]): T[] {
  const scored = ranked.flatMap((text) => {
    const score = scores.get(keyOf(text));
    return score === undefined ? [] : [{ ...text, score }];
  });
  const rest = ranked.filter((text) => !scores.has(keyOf(text)));
  return [...scored.sort((a, b) => b.score - a.score), ...rest];
}

/** With the text, which may have changed between the reads. */
function keyOf({ node, ordinal, text }: Pick<RankedText, 'node' | 'ordinal' | 'text'>): string {
  return `${node}/${ordinal}/${text}`;
}
