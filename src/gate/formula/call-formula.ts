import type { FormulaProvider } from './formula-provider.js';

/** Calls an operator's formula. A promise that it returns would end the process if it failed later. */
export function callFormula<T>(call: () => T): T {
  const value = call();
  if (!(value instanceof Promise)) return value;
  value.catch(() => {});
  throw new TypeError('it returned a promise, and must return its result at once');
}

export function listExtractionMethods(formula: FormulaProvider): readonly string[] {
  const methods = [...callFormula(() => formula.allowedExtractionMethods())].map(String);
  if (methods.length === 0) throw new TypeError('it lists none, so that no write could be accepted');
  return methods;
}
