import type { FormulaProvider } from './formula-provider.js';

/**
 * The scales of STIX 2.1, appendix A, with the confidence (0 to 100) of each term. Terms are in lower case with
 * hyphens; both names of a pair have the same value; terms without a value in STIX are left out.
 */
export const stixScales: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  level: { none: 0, low: 15, med: 50, high: 85 },
  points: { 0: 0, 1: 10, 2: 20, 3: 30, 4: 40, 5: 50, 6: 60, 7: 70, 8: 80, 9: 90, 10: 100 },
  admiralty: {
    '1-confirmed-by-other-sources': 90,
    '2-probably-true': 70,
    '3-possibly-true': 50,
    '4-doubtful': 30,
    '5-improbable': 10,
  },
  wep: {
    impossible: 0,
    'highly-unlikely': 10,
    'almost-certainly-not': 10,
    unlikely: 30,
    'probably-not': 30,
    'even-chance': 50,
    likely: 70,
    probable: 70,
    'highly-likely': 90,
    'almost-certain': 90,
    certain: 100,
  },
  dni: {
    'almost-no-chance': 5,
    remote: 5,
    'very-unlikely': 15,
    'highly-improbable': 15,
    unlikely: 30,
    improbable: 30,
    'roughly-even-chance': 50,
    'roughly-even-odds': 50,
    likely: 70,
    probable: 70,
    'very-likely': 85,
    'highly-probable': 85,
    'almost-certain': 95,
    'nearly-certain': 95,
  },
};

const terms: ReadonlyMap<string, number> = new Map(
  Object.entries(stixScales).flatMap(([scale, values]) =>
    Object.entries(values).map(([term, value]): [string, number] => [`${scale}:${term}`, value / 100]),
  ),
);

/** The method is a term of a scale, such as `dni:likely`; the declared reliability is ignored. */
export class StixFormulaProvider implements FormulaProvider {
  allowedExtractionMethods(): ReadonlySet<string> {
    return new Set(terms.keys());
  }

  compute(_reliability: number, term: string): number {
    return terms.get(term) ?? Number.NaN;
  }
}
