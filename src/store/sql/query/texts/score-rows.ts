import { queryLimits } from '../../../../model/limits.js';
import type { Score } from '../../../row-query.js';
import { Bm25, inverseDocumentFrequency } from '../../../text/bm25.js';
import type { TextScores } from '../../../text/stemmed-texts.js';
import { textsIn } from '../../../text/text-matcher.js';
import { stems } from '../../../text/words.js';
import { candidateRows } from './candidate-rows.js';
import { RowScores } from './row-scores.js';
import { forEachValue, tooManyTextsError } from './row-texts.js';
import { type TextLengthTotals, type TextReadContext, textLengthKey } from './text-length-cache.js';

const bm25Settings = { saturation: 1.2, lengthWeight: 0.75 };

interface TextMatch {
  readonly row: number;
  readonly times: readonly number[];
  readonly length: number;
}

/**
 * BM25 of each row with one of the words, among all rows of the variable. On heads all texts are in memory. Elsewhere all
 * texts determine the average length: if that is known, the text index proposes the few rows to read.
 */
export async function scoreRows(
  reading: TextReadContext,
  { operand, text }: Extract<Score, { kind: 'bm25' }>,
): Promise<RowScores> {
  const wanted = [...new Set(stems(text))];
  if (wanted.length === 0) return new RowScores([], []);
  const kept = (await reading.stemmed?.texts(reading, operand, forEachValue)) ?? null;
  if (kept !== null) return checkedScores(kept.scores(wanted, bm25Settings));
  const key = reading.lengths === undefined ? undefined : await textLengthKey(reading, operand);
  const known = key === undefined ? undefined : reading.lengths?.get(key);
  const proposed = known === undefined ? undefined : await candidateRows(reading, operand, wanted, 'any');
  const places = new Map(wanted.map((stem, place) => [stem, place]));
  const matches: TextMatch[] = [];
  let texts = 0;
  let words = 0;
  await forEachValue(reading, operand, { rows: proposed }, (row, value) => {
    const found = textsIn(value).flatMap(stems);
    texts += 1;
    words += found.length;
    const times = countTerms(found, places);
    if (times === undefined) return;
    matches.push({ row, times, length: found.length });
    if (matches.length > queryLimits.textRows) throw tooManyTextsError();
  });
  const all = proposed === undefined || known === undefined ? { texts, words } : known;
  if (proposed === undefined && key !== undefined) reading.lengths?.set(key, all);
  return scoreMatches(matches, wanted.length, all);
}

function scoreMatches(
  matches: readonly TextMatch[],
  wanted: number,
  { texts, words }: TextLengthTotals,
): RowScores {
  const frequencies = new Array<number>(wanted).fill(0);
  for (const { times } of matches)
    for (const [place, count] of times.entries())
      if (count > 0) frequencies[place] = (frequencies[place] ?? 0) + 1;
  const weights = frequencies.map((frequency) => inverseDocumentFrequency(frequency, texts));
  const bm25 = new Bm25(weights, texts === 0 ? 1 : words / texts, bm25Settings);
  return new RowScores(
    matches,
    matches.map((match) => bm25.score(match)),
  );
}

function checkedScores({ texts, scores }: TextScores): RowScores {
  if (texts.length > queryLimits.textRows) throw tooManyTextsError();
  return new RowScores(texts, scores);
}

function countTerms(
  found: readonly string[],
  places: ReadonlyMap<string, number>,
): readonly number[] | undefined {
  let times: number[] | undefined;
  for (const stem of found) {
    const place = places.get(stem);
    if (place === undefined) continue;
    times ??= new Array<number>(places.size).fill(0);
    times[place] = (times[place] ?? 0) + 1;
  }
  return times;
}
