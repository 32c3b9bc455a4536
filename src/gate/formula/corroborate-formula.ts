import { DefaultFormulaProvider } from './default-formula.js';
import type { Evidence, FormulaProvider } from './formula-provider.js';

/** Like `default`, and a second source that says the same raises the confidence: both would have to be wrong. */
export class CorroborateFormulaProvider implements FormulaProvider {
  readonly #base = new DefaultFormulaProvider();

  allowedExtractionMethods(): ReadonlySet<string> {
    return this.#base.allowedExtractionMethods();
  }

  compute(reliability: number, extractionMethod: string, evidence?: Evidence): number {
    const alone = this.#base.compute(reliability, extractionMethod);
    if (evidence === undefined || !evidence.agrees) return alone;
    const { confidence = 0 } = evidence.stored;
    // A source that repeats itself proves nothing new.
    return evidence.confirms ? 1 - (1 - alone) * (1 - confidence) : Math.max(alone, confidence);
  }
}
