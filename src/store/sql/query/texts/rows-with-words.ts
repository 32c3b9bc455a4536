import { queryLimits } from '../../../../model/limits.js';
import type { TextCondition } from '../../../row-query.js';
import { requiredSubstrings } from '../../../text/required-substrings.js';
import { textMatcher } from '../../../text/text-matcher.js';
import { stems } from '../../../text/words.js';
import { raw } from '../../sql.js';
import type { QueryFragment } from '../parameter-slots.js';

import { candidateRows } from './candidate-rows.js';
import { forEachValue, type TextReadContext, tooManyTextsError } from './row-texts.js';

/** The rows that match a text condition; undefined if the database can check it per row. */
export async function rowsWithWords(
  reading: TextReadContext,
  condition: TextCondition,
): Promise<readonly number[] | undefined> {
  const { kind, operand, text } = condition;
  const wanted = [...new Set(stems(text))];
  const proposed = kind === 'fuzzy' ? undefined : await candidateRows(reading, operand, wanted, 'all');
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
