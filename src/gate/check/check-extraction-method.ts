import { reasonOf } from '../../model/error.js';
import type { FormulaProvider } from '../formula/formula-provider.js';
import type { Claim } from './claim.js';
import { RejectedError } from './rejected-error.js';

export function checkExtractionMethod({ origin, rules }: Claim): void {
  const allowed = allowedMethods(rules.formula);
  if (allowed.has(origin.extraction_method)) return;
  throw new RejectedError(
    'INVALID_EXTRACTION_METHOD',
    `The extraction_method ${JSON.stringify(origin.extraction_method)} is not known here.`,
    `Use one of: ${[...allowed].slice(0, maxMethodsListed).join(', ')}${allowed.size > maxMethodsListed ? ', …' : ''}.`,
    { given: origin.extraction_method, allowed: [...allowed] },
  );
}

const maxMethodsListed = 40;

/** An operator's formula may fail. */
function allowedMethods(formula: FormulaProvider): ReadonlySet<string> {
  try {
    return new Set(formula.allowedExtractionMethods());
  } catch (error) {
    const reason = reasonOf(error);
    throw new RejectedError(
      'FORMULA_INVALID_OUTPUT',
      `The formula does not say which extraction methods it knows: ${reason}`,
      'The operator of the server must fix the formula.',
      { reason },
      'The formula does not say which extraction methods it knows.',
    );
  }
}
