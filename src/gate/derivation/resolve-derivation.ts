import { listNames, quoteName } from '../../model/quoting.js';
import type { Claim } from '../check/claim.js';
import { evidenceOf } from '../check/compute-confidence.js';
import { RejectedError } from '../check/rejected-error.js';
import { type GateTransaction, isKnownSource, type UnknownSource } from '../gate-target.js';

/** What a write was derived from. */
export interface Derivation {
  readonly references: readonly string[];
  /** The lowest confidence of what it was derived from, as it is worth now; 1 if none is stated. */
  readonly maxConfidence: number;
}

export const underived: Derivation = { references: [], maxConfidence: 1 };

export interface FoundSources extends Derivation {
  /** These set no limit. */
  readonly unknown: readonly UnknownSource[];
}

export async function resolveDerivation(transaction: GateTransaction, claim: Claim): Promise<Derivation> {
  return requireKnown(await findDerivation(transaction, claim), claim);
}

export async function findDerivation(transaction: GateTransaction, claim: Claim): Promise<FoundSources> {
  const { derived_from } = claim.origin;
  if (derived_from.length === 0) return { ...underived, unknown: [] };
  const { registry } = claim.rules.schema;
  const labels = registry.allCanonicalLabels().map((label) => {
    const [key, ...others] = registry.getEntry(label)?.required_properties ?? [];
    return { label, key: key === undefined || others.length > 0 ? 'name' : key };
  });
  const sources = await transaction.findSources(derived_from, labels);
  const { storedConfidence } = evidenceOf(claim, 0, transaction.now);
  const limits = sources
    .filter(isKnownSource)
    .flatMap(({ provenance }) => provenance)
    .filter(({ confidence }) => confidence !== undefined)
    .map((stated) => storedConfidence(stated));
  return {
    references: sources.map(({ reference }) => reference),
    maxConfidence: limits.reduce((lowest, limit) => Math.min(lowest, limit), 1),
    unknown: sources.flatMap((source) => (isKnownSource(source) ? [] : [source])),
  };
}

export function requireKnown({ unknown, ...derivation }: FoundSources, { rules }: Claim): Derivation {
  if (unknown.length === 0) return derivation;
  const mayBeHeld = rules.trust.length > 0 || rules.suspiciousText === 'hold';
  throw new RejectedError(
    'INVALID_ARGUMENT',
    `Nothing is known as ${listNames(unknown.map(({ reference }) => quoteName(reference)))} in derived_from.`,
    `Nothing was written. Name nodes exactly as they are named, as Label:name if several have the name, or commits of this branch by their ids; details.unknown has suggestions.${mayBeHeld ? ' What is held for review is unknown until it is merged.' : ''}`,
    { unknown },
  );
}

/** The result would tell which sources exist and how certain they are. */
export function checkMayNameSources({ origin }: Claim, mayRead: boolean): void {
  if (mayRead || origin.derived_from.length === 0) return;
  throw new RejectedError(
    'INVALID_ARGUMENT',
    'derived_from needs the permission to read.',
    'Nothing was written. Leave derived_from out.',
    { faults: [{ argument: 'derived_from', problem: 'needs the permission to read' }] },
  );
}
