import type { Reader } from '../store/reader.js';
import { hitsPage, type SearchHits, type SearchRequest } from './search-hits.js';
import { QueryWords } from './text/query-words.js';
import { rankTexts } from './text/rank-texts.js';

/** Observations, names and summaries with any word of the query, each ranked in its context. */
export async function searchObservations(
  reader: Reader,
  query: string,
  request: SearchRequest = {},
): Promise<SearchHits> {
  return hitsPage(reader, await rankTexts(reader, new QueryWords(query), request), request);
}
