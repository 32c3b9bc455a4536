import type { FormulaProvider } from './formula/formula-provider.js';
import type { ConflictPolicy, UnknownLabelPolicy } from './gate-settings.js';
import type { LoadedRegistry } from './registry/registry-cache.js';
import type { RelationEntry, SchemaEntry } from './registry/schema-registry.js';

/** What the gate lets in at this moment, as agents are told. */
export interface RulesInForce {
  readonly nodes: readonly SchemaEntry[];
  readonly relationships: readonly RelationEntry[];
  /** Where labels go that nothing absorbs; left out if they are refused. */
  readonly fallback_label?: string;
  /** Left out if the formula does not say. */
  readonly extraction_methods?: readonly string[];
  readonly conflicts: ConflictPolicy;
}

export function rulesInForce(
  { registry, fallback }: LoadedRegistry,
  { formula, unknownLabels, conflicts }: GatePolicies,
): RulesInForce {
  const extraction_methods = extractionMethodsOf(formula);
  return {
    nodes: registry.allCanonicalLabels().flatMap((label) => registry.getEntry(label) ?? []),
    relationships: registry.allRelationTypes().flatMap((type) => registry.getRelation(type) ?? []),
    ...(fallback === undefined || unknownLabels === 'reject' ? {} : { fallback_label: fallback }),
    ...(extraction_methods === undefined ? {} : { extraction_methods }),
    conflicts,
  };
}

interface GatePolicies {
  readonly formula: FormulaProvider;
  readonly unknownLabels: UnknownLabelPolicy;
  readonly conflicts: ConflictPolicy;
}

/** The methods a formula knows; one of the operator's that fails says so when something is written. */
export function extractionMethodsOf(formula: FormulaProvider): readonly string[] | undefined {
  try {
    return [...formula.allowedExtractionMethods()].map(String);
  } catch {
    return undefined;
  }
}
