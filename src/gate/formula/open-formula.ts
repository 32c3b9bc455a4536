import { reasonOf, TrellisError } from '../../model/error.js';
import { importNamedExport, isModulePath, memberOf } from '../operator-module.js';
import { AdmiraltyFormulaProvider } from './admiralty-formula.js';
import { listExtractionMethods } from './call-formula.js';
import { CorroborateFormulaProvider } from './corroborate-formula.js';
import { DecayFormulaProvider } from './decay-formula.js';
import { DefaultFormulaProvider, FlatFormulaProvider } from './default-formula.js';
import type { FormulaProvider } from './formula-provider.js';
import { StixFormulaProvider } from './stix-formula.js';

const builtIn: ReadonlyMap<string, () => FormulaProvider> = new Map<string, () => FormulaProvider>([
  ['default', () => new DefaultFormulaProvider()],
  ['flat', () => new FlatFormulaProvider()],
  ['admiralty', () => new AdmiraltyFormulaProvider()],
  ['stix', () => new StixFormulaProvider()],
  ['decay', () => new DecayFormulaProvider()],
  ['corroborate', () => new CorroborateFormulaProvider()],
]);

/** The extraction methods of a built-in formula; undefined for a module, which is not loaded to find out. */
export function builtInMethods(setting = 'default'): readonly string[] | undefined {
  const formula = builtIn.get(setting)?.();
  return formula && listExtractionMethods(formula);
}

/** A built-in formula, or the export `formula` of a module. */
export async function openFormula(setting = 'default'): Promise<FormulaProvider> {
  const ours = builtIn.get(setting);
  if (ours !== undefined) return ours();
  if (isModulePath(setting)) return fromModule(setting);
  throw new TrellisError('USAGE', `Unknown formula: ${JSON.stringify(setting)}.`, {
    hint: `Use one of ${[...builtIn.keys()].join(', ')}, or the path of a module: ./formula.js.`,
  });
}

async function fromModule(path: string): Promise<FormulaProvider> {
  let provider: unknown;
  try {
    provider = await importNamedExport(path, 'formula');
  } catch (error) {
    if (error instanceof TrellisError) throw error;
    const reason = reasonOf(error);
    throw new TrellisError('USAGE', `The formula ${path} cannot be loaded: ${reason}`, { cause: error });
  }
  if (isFormula(provider)) return provider;
  throw new TrellisError('USAGE', `The export of ${path} is not a formula.`, {
    hint: 'It needs the methods allowedExtractionMethods() and compute(reliability, extractionMethod, evidence); age(confidence, extractionMethod, ageMs) is optional.',
  });
}

function isFormula(value: unknown): value is FormulaProvider {
  const required = [memberOf(value, 'compute'), memberOf(value, 'allowedExtractionMethods')];
  const age = memberOf(value, 'age');
  return (
    required.every((method) => typeof method === 'function') &&
    (age === undefined || typeof age === 'function')
  );
}
