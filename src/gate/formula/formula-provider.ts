/** Computes how far a fact can be trusted. */
export interface FormulaProvider {
  allowedExtractionMethods(): ReadonlySet<string>;
  /** Returns 0 to 1. `reliability` is 0 to 1, and the method is an allowed one. */
  compute(reliability: number, extractionMethod: string): number;
}
