import type { RowQuery, Score, TextCondition } from '../../row-query.js';
import { allVariables, blocksOf, textConditionsIn } from './query-variables.js';
import { noMatches, type PrecomputedMatches } from './sql-scope.js';
import type { TextReadContext } from './texts/row-texts.js';
import { rowsWithWords } from './texts/rows-with-words.js';
import { scoreRows } from './texts/score-rows.js';

/** Computes what the database cannot or should not compute per row: text matches and BM25 scores. */
export async function precomputeMatches(
  where: Omit<TextReadContext, 'variables'>,
  query: RowQuery,
): Promise<PrecomputedMatches> {
  const conditions = textConditions(query);
  const scored = [...bm25ScoresOf(query)];
  if (conditions.length === 0 && scored.length === 0) return noMatches;
  const reading: TextReadContext = { ...where, variables: allVariables(query) };
  const texts = new Map<TextCondition, readonly number[]>();
  for (const condition of conditions) {
    const rows = await rowsWithWords(reading, condition);
    if (rows !== undefined) texts.set(condition, rows);
  }
  const scores = new Map<Score, ReadonlyMap<number, number>>();
  for (const score of scored) scores.set(score, await scoreRows(reading, score));
  return { texts, scores };
}

function textConditions(query: RowQuery): TextCondition[] {
  const found: TextCondition[] = [];
  for (const { conditions } of blocksOf(query.match)) textConditionsIn(conditions, found);
  for (const { expression } of [...query.columns, ...query.order])
    if (expression.kind === 'condition') found.push(expression.condition);
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
