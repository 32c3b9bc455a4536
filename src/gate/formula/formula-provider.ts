import type { Provenance } from '../../model/provenance.js';

/** What is known of a property before a write sets it. */
export interface Evidence {
  readonly property: string;
  /** Who says so now. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where the stored value came from; its confidence is what it is worth now. */
  readonly stored: Provenance;
  /** The stored value is the same as the new one. */
  readonly agrees: boolean;
  /** It is the same, and this source has not said so before. */
  readonly confirms: boolean;
}

/** Computes how far a fact can be trusted. */
export interface FormulaProvider {
  allowedExtractionMethods(): ReadonlySet<string>;
  /**
   * Returns 0 to 1. `reliability` is 0 to 1, and the method is an allowed one. Called once for the write, and once more with
   * evidence for each property that has a stored value with provenance, if it takes three parameters.
   */
  compute(reliability: number, extractionMethod: string, evidence?: Evidence): number;
  /** What a stored confidence is worth after `ageMs`; default: what it was. */
  age?(confidence: number, extractionMethod: string | undefined, ageMs: number): number;
}
