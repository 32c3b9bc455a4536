import type { Provenance } from '../../model/provenance.js';
import type { Claim } from '../check/claim.js';
import {
  findSuspiciousText,
  matchSuspicious,
  type SuspiciousText,
  suspiciousWarnings,
} from './find-suspicious-text.js';

/** What looks like instructions to a model in a claim; nothing if the gate does not look. */
export function suspiciousIn({ rules, names, parts, origin }: Claim): readonly SuspiciousText[] {
  if (rules.suspiciousText === 'off') return [];
  return [
    // Only a label that is not registered comes from the writer; the node keeps it.
    ...names.flatMap(({ argument, given, remapped }) =>
      remapped ? findSuspiciousText(given, argument) : [],
    ),
    ...parts.flatMap(({ argument, values }) => findSuspiciousText(values, argument)),
    ...findSuspiciousText(origin.source, 'source'),
  ];
}

/** Marks what this write set, and leaves what it kept of earlier ones. */
export function flagSuspicious(
  provenance: Provenance,
  values: Readonly<Record<string, unknown>>,
  claim: Claim,
): Provenance {
  const found = suspiciousIn(claim);
  if (found.length === 0) return provenance;
  const properties = Object.entries(provenance.properties ?? {}).map(
    ([name, origin]): [string, Provenance] => {
      const isNew = origin.last_updated === provenance.last_updated && Object.hasOwn(values, name);
      const patterns = isNew ? patternsOf([...findSuspiciousText(values[name]), ...inName(name)]) : [];
      return [name, patterns.length === 0 ? origin : { ...origin, suspicious: patterns }];
    },
  );
  return {
    ...provenance,
    suspicious: patternsOf(found),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

/** For the result of a write. */
export function warningsOf(claim: Claim): { readonly warnings?: readonly string[] } {
  const found = suspiciousIn(claim);
  return found.length === 0 ? {} : { warnings: suspiciousWarnings(found) };
}

function inName(name: string): readonly SuspiciousText[] {
  return [{ path: name, patterns: matchSuspicious(name) }];
}

function patternsOf(found: readonly SuspiciousText[]): readonly string[] {
  return [...new Set(found.flatMap(({ patterns }) => patterns))];
}
