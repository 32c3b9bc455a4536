import { nearest } from '../../model/nearest.js';
import { registryType } from '../../model/registry-node.js';
import { sameSpelling } from '../../store/text/spelling.js';
import { stripColon } from '../gate-names.js';
import type { UnknownLabelPolicy } from '../gate-settings.js';
import type { LoadedRegistry } from '../registry/registry-cache.js';

/** A label or a type as the agent sent it, and what the registry makes of it. */
export interface ResolvedName {
  readonly argument: string;
  readonly given: string;
  /** Left out if unknown. */
  readonly canonical?: string;
  /** Whether the agent sent something else than the canonical name. */
  readonly remapped: boolean;
  /** A registered name with a similar spelling; suggested, never used automatically. */
  readonly suggested?: string;
}

/** The label itself, else the one that absorbs it, else the fallback if the policy allows that. */
export function resolveLabel(
  argument: string,
  given: string,
  { registry, fallback }: LoadedRegistry,
  policy: UnknownLabelPolicy,
): ResolvedName {
  const label = stripColon(given);
  if (label === registryType) return { argument, given, remapped: false };
  // Stored as the registry spells it.
  const entry = registry.getEntry(given);
  if (entry !== undefined) return { argument, given, canonical: entry.label, remapped: false };
  const absorbedBy = registry.remapTarget(given);
  if (absorbedBy !== undefined) return { argument, given, canonical: absorbedBy, remapped: true };
  const unknown = { argument, given, ...suggestion(label, registry.allCanonicalLabels()) };
  return policy === 'remap' && fallback !== undefined
    ? { ...unknown, canonical: fallback, remapped: true }
    : { ...unknown, remapped: false };
}

/** The type itself or nothing: with a fallback, every relationship would mean the same. */
export function resolveType(argument: string, given: string, { registry }: LoadedRegistry): ResolvedName {
  const relation = registry.getRelation(given);
  if (relation !== undefined) return { argument, given, canonical: relation.type, remapped: false };
  const type = stripColon(given);
  return { argument, given, remapped: false, ...suggestion(type, registry.allRelationTypes()) };
}

function suggestion(name: string, registered: readonly string[]): { suggested?: string } {
  const suggested = nearest(name, registered, sameSpelling);
  return suggested === undefined ? {} : { suggested };
}
