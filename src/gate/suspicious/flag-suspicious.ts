import type { Provenance } from '../../model/provenance.js';
import type { Claim } from '../check/claim.js';
import { findSuspiciousText, type SuspiciousText, suspiciousWarnings } from './find-suspicious-text.js';

/** A text of a claim that looks like instructions to a model. */
export interface SuspiciousPart extends SuspiciousText {
  readonly argument: string;
  /** The property or key that it is part of. */
  readonly property?: string;
}

/** Nothing if the gate does not look. Reads the whole claim: call it once for each write. */
export function suspiciousIn({ rules, names, parts, origin }: Claim): readonly SuspiciousPart[] {
  if (rules.suspiciousText === 'off') return [];
  return [
    // Only a label that is not registered comes from the writer; the node keeps it.
    ...names.flatMap(({ argument, given, remapped }) => (remapped ? suspiciousPart(argument, given) : [])),
    ...parts.flatMap(({ argument, values }) =>
      Object.entries(values).flatMap(([property, value]) =>
        findSuspiciousText({ [property]: value }, argument).map((text) => ({ ...text, argument, property })),
      ),
    ),
    ...suspiciousPart(sourceArgument, origin.source),
  ];
}

const sourceArgument = 'source';

function suspiciousPart(argument: string, text: string): readonly SuspiciousPart[] {
  return findSuspiciousText(text, argument).map((found) => ({ ...found, argument }));
}

/** What a stub keeps of a claim: its label, its keys and the source. */
export function suspiciousInStub(
  suspicious: readonly SuspiciousPart[],
  end: 'from' | 'to',
): readonly SuspiciousPart[] {
  const kept = [`${end}_label`, `${end}_keys`, sourceArgument];
  return suspicious.filter(({ argument }) => kept.includes(argument));
}

/**
 * Marks what this write set, and leaves what it kept of earlier ones.
 * @param from The arguments that the properties come from.
 */
export function flagSuspicious(
  provenance: Provenance,
  suspicious: readonly SuspiciousPart[],
  from: readonly string[],
): Provenance {
  if (suspicious.length === 0) return provenance;
  const properties = Object.entries(provenance.properties ?? {}).map(
    ([name, origin]): [string, Provenance] => {
      const isNew = origin.last_updated === provenance.last_updated;
      const own = suspicious.filter(({ argument, property }) => property === name && from.includes(argument));
      return [name, isNew && own.length > 0 ? { ...origin, suspicious: patternsOf(own) } : origin];
    },
  );
  return {
    ...provenance,
    suspicious: patternsOf(suspicious),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

/** For the result of a write. */
export function warningsOf(suspicious: readonly SuspiciousPart[]): { readonly warnings?: readonly string[] } {
  return suspicious.length === 0 ? {} : { warnings: suspiciousWarnings(suspicious) };
}

function patternsOf(found: readonly SuspiciousText[]): readonly string[] {
  return [...new Set(found.flatMap(({ patterns }) => patterns))];
}
