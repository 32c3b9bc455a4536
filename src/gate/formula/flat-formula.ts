import { DefaultFormulaProvider } from './default-formula.js';
import type { FormulaProvider } from './formula-provider.js';

/** Confidence is the declared reliability: for pipelines that are trusted to grade themselves. */
export class FlatFormulaProvider implements FormulaProvider {
  allowedExtractionMethods(): ReadonlySet<string> {
    return new Set([...DefaultFormulaProvider.weights.keys(), 'declared']);
  }

  compute(reliability: number): number {
    return reliability;
  }
}
