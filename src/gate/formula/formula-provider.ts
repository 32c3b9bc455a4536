/** Says how far a fact can be trusted, from how it was found and how reliable its source is. */
export interface FormulaProvider {
  /** The values of `extraction_method` it knows. */
  allowedExtractionMethods(): ReadonlySet<string>;
  /** A number from 0 to 1. `reliability` is from 0 to 1 already, and the method one of those allowed. */
  compute(reliability: number, extractionMethod: string): number;
}
