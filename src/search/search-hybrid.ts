import { TimeSlice } from '../bounds/time-slice.js';
import { pendingObservations } from './embedding/embedding-coverage.js';
import { hitsPage, type SearchRequest, type SemanticHits } from './search-hits.js';
import type { SearchContext } from './semantic/query-embedding.js';
import { rankBySimilarity, type SimilarText } from './semantic/rank-by-similarity.js';
import { QueryWords } from './text/query-words.js';
import { type RankedText, rankTexts } from './text/rank-texts.js';

/** How far down a list a rank still counts; measured with bench/retrieval.js. */
const depth = 200;
/** The higher, the less the first ranks stand out. */
const rankConstant = 5;
/** What a rank by meaning is worth compared to a rank by text. */
const semanticWeight = 0.1;

/** Fuses the lists by text and by meaning: what ranks high in both comes first. */
export async function searchHybrid(
  context: SearchContext,
  query: string,
  request: SearchRequest = {},
): Promise<SemanticHits> {
  const { reader, queryEmbedding } = context;
  const { types, node } = request;
  const slice = new TimeSlice();
  const found = await rankTexts(reader, new QueryWords(query), request);
  if (slice.isOver) await slice.yieldToOthers();
  const meant = queryEmbedding.known
    ? await rankBySimilarity(reader, queryEmbedding.vectors, { types, node, limit: depth })
    : [];
  return {
    ...(await hitsPage(reader, { ...found, ranked: fuse(found.ranked, meant) }, request)),
    ...(queryEmbedding.known ? await pendingObservations(context) : { degraded: queryEmbedding.reason }),
  };
}

interface FusedText extends RankedText {
  readonly perspective: string | null;
}

/** Best first; ties in the order of the list by text. */
function fuse(byText: readonly RankedText[], byMeaning: readonly SimilarText[]): FusedText[] {
  const fused = new Map<string, FusedText>();
  const keyOf = ({ node, ordinal }: RankedText) => `${node}/${ordinal}`;
  for (const [place, text] of byText.entries()) {
    fused.set(keyOf(text), { ...text, perspective: null, score: rankScore(place) });
  }
  for (const [place, meant] of byMeaning.entries()) {
    const known = fused.get(keyOf(meant));
    const score = (known?.score ?? 0) + semanticWeight * rankScore(place);
    fused.set(keyOf(meant), { ...meant, text: known?.text ?? meant.text, score });
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

function rankScore(place: number): number {
  return 1 / (rankConstant + place + 1);
}
