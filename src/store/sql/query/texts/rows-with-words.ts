import { queryLimits } from '../../../../model/limits.js';
import type { TextCondition } from '../../../row-query.js';
import { neededRuns } from '../../../text/needed-runs.js';
import { textTest } from '../../../text/text-test.js';
import { stems } from '../../../text/words.js';
import type { Fragment } from '../../executor.js';
import { raw } from '../sql.js';
import { proposedRows } from './proposed-rows.js';
import { eachValue, type Reading } from './row-texts.js';
import { tooManyTexts } from './too-many-texts.js';

/** The rows that have the words of a condition; undefined where the database is better asked as it comes to each row. */
export async function rowsWithWords(
  reading: Reading,
  condition: TextCondition,
): Promise<readonly number[] | undefined> {
  const { kind, operand, text } = condition;
  const wanted = [...new Set(stems(text))];
  const proposed = kind === 'fuzzy' ? undefined : await proposedRows(reading, operand, wanted, 'all');
  if (proposed === undefined && reading.dialect.query.textTest(raw(''), condition) !== null) return undefined;
  const test = textTest(condition);
  const runs = proposed === undefined ? neededRuns(condition) : [];
  const found: number[] = [];
  const holds = (json: Fragment) =>
    runs.length === 0 ? raw('true') : reading.dialect.query.mayHave(json, runs);
  await eachValue(reading, operand, { rows: proposed, holds }, (row, value) => {
    if (!test(value)) return;
    found.push(row);
    if (found.length > queryLimits.textRows) throw tooManyTexts();
  });
  return found;
}
