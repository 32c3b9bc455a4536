import { schemaLabel, withoutColon } from '../names.js';
import { nearest } from '../nearest.js';
import type { Schema } from '../registry/schema-cache.js';
import type { UnknownLabelPolicy } from '../settings.js';

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
  { registry, fallback }: Schema,
  policy: UnknownLabelPolicy,
): ResolvedName {
  const label = withoutColon(given);
  if (label === schemaLabel) return { argument, given, remapped: false };
  if (registry.getEntry(label) !== undefined) return { argument, given, canonical: label, remapped: false };
  const absorbedBy = registry.remapTarget(label);
  if (absorbedBy !== undefined) return { argument, given, canonical: absorbedBy, remapped: true };
  const unknown = { argument, given, ...suggestion(label, registry.allCanonicalLabels()) };
  return policy === 'remap' && fallback !== undefined
    ? { ...unknown, canonical: fallback, remapped: true }
    : { ...unknown, remapped: false };
}

/** Finds a relationship type: itself or nothing, since a fallback would make every relationship mean the same. */
export function resolveType(argument: string, given: string, { registry }: Schema): ResolvedName {
  const type = withoutColon(given);
  if (registry.getRelation(type) !== undefined) return { argument, given, canonical: type, remapped: false };
  return { argument, given, remapped: false, ...suggestion(type, registry.allRelationTypes()) };
}

function suggestion(name: string, registered: readonly string[]): { suggested?: string } {
  const suggested = nearest(name, registered);
  return suggested === undefined ? {} : { suggested };
}
