import { queryLimits } from '../../../model/limits.js';
import type { RowQuery, Score, TextCondition } from '../../row-query.js';
import { requiredSubstrings } from '../../text/required-substrings.js';
import { textMatcher } from '../../text/text-matcher.js';
import { stems } from '../../text/words.js';
import { raw } from '../sql.js';
import type { QueryFragment } from './parameter-slots.js';
import { allVariables, conditionsIn, isTextCondition } from './query-variables.js';
import { noMatches, type PrecomputedMatches } from './sql-scope.js';
import { candidateRows } from './texts/candidate-rows.js';
import type { RowScores } from './texts/row-scores.js';
import { forEachValue, tooManyTextsError } from './texts/row-texts.js';
import { scoreRows } from './texts/score-rows.js';
import type { TextReadContext } from './texts/text-length-cache.js';

/** Computes what the database cannot or should not compute per row: text matches and BM25 scores. */
export async function precomputeMatches(
  where: Omit<TextReadContext, 'variables'>,
  query: RowQuery,
): Promise<PrecomputedMatches> {
  const conditions = conditionsIn(query).filter(isTextCondition);
  const scored = [...bm25ScoresOf(query)];
  if (conditions.length === 0 && scored.length === 0) return noMatches;
  const reading: TextReadContext = { ...where, variables: allVariables(query) };
  const texts = new Map<TextCondition, readonly number[]>();
  for (const condition of conditions) {
    const rows = await rowsWithWords(reading, condition);
    if (rows !== undefined) texts.set(condition, rows);
  }
  const scores = new Map<Score, RowScores>();
  for (const score of scored) scores.set(score, await scoreRows(reading, score));
  return { texts, scores };
}

/** The rows that match a text condition; undefined if the database can check it per row. */
async function rowsWithWords(
  reading: TextReadContext,
  condition: TextCondition,
): Promise<readonly number[] | undefined> {
  const { kind, operand, text } = condition;
  const wanted = [...new Set(stems(text))];
  const proposed =
    kind === 'fuzzy'
      ? await reading.vocabularies?.candidates(reading, condition, (filter, show) =>
          forEachValue(reading, operand, filter, show),
        )
      : await candidateRows(reading, operand, wanted, 'all');
  if (proposed === undefined && reading.dialect.queryDialect.textCondition(raw(''), condition) !== null)
    return undefined;
  const test = textMatcher(condition);
  const runs = proposed === undefined ? requiredSubstrings(condition) : [];
  const found: number[] = [];
  const holds = (json: QueryFragment) =>
    runs.length === 0 ? raw('true') : reading.dialect.queryDialect.mayContain(json, runs);
  await forEachValue(reading, operand, { rows: proposed, condition: holds }, (row, value) => {
    if (!test(value)) return;
    found.push(row);
    if (found.length > queryLimits.textRows) throw tooManyTextsError();
  });
  return found;
}

type Bm25Score = Extract<Score, { kind: 'bm25' }>;

function bm25ScoresOf(query: RowQuery): Set<Bm25Score> {
  const found = new Set<Bm25Score>();
  const add = (score: Score) => {
    if (score.kind === 'bm25') found.add(score);
    else if (score.kind === 'rrf') for (const arm of score.arms) add(arm);
  };
  for (const { expression } of [...query.columns, ...query.order]) {
    if (expression.kind === 'bm25' || expression.kind === 'rrf') add(expression);
  }
  return found;
}
