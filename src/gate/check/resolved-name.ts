import { nearest } from '../../model/nearest.js';
import { registryType } from '../../model/registry-node.js';
import { sameSpelling } from '../../store/text/spelling.js';
import { stripColon } from '../gate-names.js';
import type { UnknownLabelPolicy } from '../gate-settings.js';
import type { LoadedRegistry } from '../registry/registry-cache.js';

/** A label or a type as the agent sent it, and what the schema makes of it. */
export interface ResolvedName {
  readonly argument: string;
  readonly given: string;
  /** Left out if the schema has no place for it. */
  readonly canonical?: string;
  /** Whether the agent said something else than the canonical name. */
  readonly remapped: boolean;
  /** A registered name that is spelt almost the same; said to the agent, never used unasked. */
  readonly suggested?: string;
}

/** Finds the canonical label: itself, else the one that absorbs it, else, if the policy says so, the fallback. */
export function resolveLabel(
  argument: string,
  given: string,
  { registry, fallback }: LoadedRegistry,
  policy: UnknownLabelPolicy,
): ResolvedName {
  const label = stripColon(given);
  if (label === registryType) return { argument, given, remapped: false };
  // What is stored is what the registry says, never what was sent.
  const entry = registry.getEntry(given);
  if (entry !== undefined) return { argument, given, canonical: entry.label, remapped: false };
  const absorbedBy = registry.remapTarget(given);
  if (absorbedBy !== undefined) return { argument, given, canonical: absorbedBy, remapped: true };
  const unknown = { argument, given, ...suggestion(label, registry.allCanonicalLabels()) };
  return policy === 'remap' && fallback !== undefined
    ? { ...unknown, canonical: fallback, remapped: true }
    : { ...unknown, remapped: false };
}

/** Finds a relationship type: itself or nothing, since a fallback would make every relationship mean the same. */
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
