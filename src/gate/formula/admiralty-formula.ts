import type { FormulaProvider } from './formula-provider.js';

/** F means that it cannot be judged, which is neither good nor bad. */
const sourceReliability: Readonly<Record<string, number>> = {
  A: 1,
  B: 0.8,
  C: 0.6,
  D: 0.4,
  E: 0.2,
  F: 0.5,
};

/** 6 means that it cannot be judged. */
const informationCredibility: Readonly<Record<string, number>> = {
  '1': 1,
  '2': 0.8,
  '3': 0.6,
  '4': 0.4,
  '5': 0.2,
  '6': 0.5,
};

const grades: ReadonlyMap<string, number> = new Map(
  Object.entries(sourceReliability).flatMap(([letter, source]) =>
    Object.entries(informationCredibility).map(([digit, information]): [string, number] => [
      `${letter}${digit}`,
      hundredths(source * information),
    ]),
  ),
);

/** The Admiralty code: the method is a grade from A1 to F6; the declared reliability is ignored. */
export class AdmiraltyFormulaProvider implements FormulaProvider {
  allowedExtractionMethods(): ReadonlySet<string> {
    return new Set(grades.keys());
  }

  compute(_reliability: number, grade: string): number {
    return grades.get(grade) ?? Number.NaN;
  }
}

/** Otherwise 0.8 × 0.8 would be 0.6400000000000001. */
function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
