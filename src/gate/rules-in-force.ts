import type { GateRules } from './check/claim.js';
import { listExtractionMethods } from './formula/call-formula.js';
import type { FormulaProvider } from './formula/formula-provider.js';
import type { ConflictPolicy } from './gate-settings.js';
import type { LoadedRegistry } from './registry/registry-cache.js';
import type { RelationEntry, SchemaEntry } from './registry/schema-registry.js';

/** What the gate lets in now, as agents see it. */
export interface RulesInForce {
  readonly nodes: readonly SchemaEntry[];
  readonly relationships: readonly RelationEntry[];
  /** Left out if unknown labels are rejected. */
  readonly fallback_label?: string;
  /** Left out if the formula fails to list them. */
  readonly extraction_methods?: readonly string[];
  readonly conflicts: ConflictPolicy;
}

export function rulesInForce(
  { registry, fallback }: LoadedRegistry,
  { formula, unknownLabels, conflicts }: Pick<GateRules, 'formula' | 'unknownLabels' | 'conflicts'>,
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

/** Undefined if an operator's formula fails; the next write reports that. */
export function extractionMethodsOf(formula: FormulaProvider): readonly string[] | undefined {
  try {
    return listExtractionMethods(formula);
  } catch {
    return undefined;
  }
}
