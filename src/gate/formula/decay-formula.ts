import { DefaultFormulaProvider } from './default-formula.js';
import type { FormulaProvider } from './formula-provider.js';

const dayMs = 24 * 60 * 60 * 1000;

/** Like `default`, and a stored confidence halves with time: what was read once by a model soonest. */
export class DecayFormulaProvider implements FormulaProvider {
  static readonly halfLifeDays: ReadonlyMap<string, number> = new Map([
    ['api', 365],
    ['parsed', 180],
    ['manual', 730],
    ['llm', 90],
  ]);
  readonly #base = new DefaultFormulaProvider();

  allowedExtractionMethods(): ReadonlySet<string> {
    return this.#base.allowedExtractionMethods();
  }

  compute(reliability: number, extractionMethod: string): number {
    return this.#base.compute(reliability, extractionMethod);
  }

  age(confidence: number, extractionMethod: string | undefined, ageMs: number): number {
    const days = DecayFormulaProvider.halfLifeDays.get(extractionMethod ?? '');
    return days === undefined ? confidence : confidence * 0.5 ** (ageMs / (days * dayMs));
  }
}
