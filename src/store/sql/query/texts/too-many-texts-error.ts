import { TrellisError } from '../../../../model/error.js';
import { queryLimits } from '../../../../model/limits.js';

/** Says that words are too common to be looked for. */
export function tooManyTextsError(): TrellisError {
  return new TrellisError(
    'LIMIT_EXCEEDED',
    `More than ${queryLimits.textRows} rows have the words of a search.`,
    {
      hint: 'Search for rarer words.',
      details: { limit: queryLimits.textRows },
    },
  );
}
