import { describe, expect, test } from 'vitest';
import { openFormula } from './open-formula.js';

const confidences: [string, string, number, number][] = [
  ['default', 'api', 0.9, 0.9],
  ['default', 'parsed', 1, 0.85],
  ['default', 'manual', 0.9, 0.675],
  ['default', 'llm', 0.5, 0.3],
  ['flat', 'declared', 0.42, 0.42],
  ['flat', 'llm', 1, 1],
  ['admiralty', 'A1', 0.5, 1],
  ['admiralty', 'B2', 0.5, 0.64],
  ['admiralty', 'E5', 1, 0.04],
  ['admiralty', 'F6', 1, 0.25],
  ['stix', 'level:med', 1, 0.5],
  ['stix', 'points:7', 0, 0.7],
  ['stix', 'admiralty:2-probably-true', 1, 0.7],
  ['stix', 'wep:almost-certain', 1, 0.9],
  ['stix', 'dni:almost-certain', 1, 0.95],
];

test.each(confidences)('%s: %s at reliability %d gives %d', async (name, method, reliability, confidence) => {
  const formula = await openFormula(name);
  expect(formula.compute(reliability, method)).toBe(confidence);
});

describe.each(['default', 'flat', 'admiralty', 'stix', 'decay', 'corroborate'])('the formula %s', (name) => {
  test('gives a confidence from 0 to 1 for every method it allows', async () => {
    const formula = await openFormula(name);
    const methods = [...formula.allowedExtractionMethods()];
    expect(methods.length).toBeGreaterThan(3);
    for (const method of methods) {
      for (const reliability of [0, 0.5, 1]) {
        const confidence = formula.compute(reliability, method);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    }
  });
});

test('the admiralty code has thirty-six grades', async () => {
  const grades = [...(await openFormula('admiralty')).allowedExtractionMethods()];
  expect(grades).toHaveLength(36);
  expect(grades).toEqual(expect.arrayContaining(['A1', 'C6', 'F1', 'F6']));
});

test('without a setting it is the default', async () => {
  expect([...(await openFormula()).allowedExtractionMethods()]).toEqual(['api', 'parsed', 'manual', 'llm']);
});

test('a formula that does not exist is refused with those that do', async () => {
  await expect(openFormula('constructor')).rejects.toMatchObject({
    code: 'USAGE',
    hint: expect.stringContaining('default, flat, admiralty, stix, decay, corroborate'),
  });
});
