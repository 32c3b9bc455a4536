import { reasonOf } from '../../model/error.js';
import type { FormulaProvider } from '../formula/formula-provider.js';
import type { Claim } from './claim.js';
import { Rejected } from './reject.js';

/** The formula must know the extraction method. */
export function extractionMethod({ origin, rules }: Claim): void {
  const allowed = allowedMethods(rules.formula);
  if (allowed.has(origin.extraction_method)) return;
  throw new Rejected(
    'INVALID_EXTRACTION_METHOD',
    `The extraction_method ${JSON.stringify(origin.extraction_method)} is not known here.`,
    `Use one of: ${[...allowed].slice(0, methodsShown).join(', ')}${allowed.size > methodsShown ? ', …' : ''}.`,
    { given: origin.extraction_method, allowed: [...allowed] },
  );
}

const methodsShown = 40;

/** A provider of the operator's may answer anything. */
function allowedMethods(formula: FormulaProvider): ReadonlySet<string> {
  try {
    return new Set(formula.allowedExtractionMethods());
  } catch (error) {
    const reason = reasonOf(error);
    throw new Rejected(
      'FORMULA_INVALID_OUTPUT',
      `The formula does not say which extraction methods it knows: ${reason}`,
      'This is for whoever runs the server: mend the formula.',
      { reason },
    );
  }
}
