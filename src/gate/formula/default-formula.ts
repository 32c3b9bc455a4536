import type { FormulaProvider } from './formula-provider.js';

/** Reliability times a weight for the extraction method. */
export class DefaultFormulaProvider implements FormulaProvider {
  static readonly weights: ReadonlyMap<string, number> = new Map([
    ['api', 1],
    ['parsed', 0.85],
    ['manual', 0.75],
    ['llm', 0.6],
  ]);

  allowedExtractionMethods(): ReadonlySet<string> {
    return new Set(DefaultFormulaProvider.weights.keys());
  }

  compute(reliability: number, extractionMethod: string): number {
    return reliability * (DefaultFormulaProvider.weights.get(extractionMethod) ?? Number.NaN);
  }
}

/** Confidence is the declared reliability: for pipelines that are trusted to grade themselves. */
export class FlatFormulaProvider implements FormulaProvider {
  allowedExtractionMethods(): ReadonlySet<string> {
    return new Set([...DefaultFormulaProvider.weights.keys(), 'declared']);
  }

  compute(reliability: number): number {
    return reliability;
  }
}
