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

/** The label that a node is stored under, with a suggestion if the registry does not know the one that was sent. */
export function resolveLabel(
  argument: string,
  given: string,
  schema: LoadedRegistry,
  policy: UnknownLabelPolicy,
): ResolvedName {
  const label = stripColon(given);
  if (label === registryType) return { argument, given, remapped: false };
  const { registry } = schema;
  const isKnown = registry.getEntry(given) !== undefined;
  const canonical = canonicalLabel(given, schema, policy);
  return {
    ...{ argument, given, remapped: !isKnown && canonical !== undefined },
    ...(canonical === undefined ? {} : { canonical }),
    ...(isKnown || registry.remapTarget(given) !== undefined
      ? {}
      : suggestion(label, registry.allCanonicalLabels())),
  };
}

/** The label as the registry spells it, else the one that absorbs it, else the fallback if the policy allows that. */
export function canonicalLabel(
  given: string,
  { registry, fallback }: LoadedRegistry,
  policy: UnknownLabelPolicy,
): string | undefined {
  if (stripColon(given) === registryType) return undefined;
  const known = registry.getEntry(given)?.label ?? registry.remapTarget(given);
  return known ?? (policy === 'remap' ? fallback : undefined);
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
