import type { RelationshipClaim } from './check/claim.js';
import { evidenceOf } from './check/compute-confidence.js';
import { relationshipChecks } from './check/gate-checks.js';
import { RejectedError } from './check/rejected-error.js';
import type { ResolvedName } from './check/resolved-name.js';
import type { Derivation } from './derivation/resolve-derivation.js';
import { findNodeByKeys } from './find-node-by-keys.js';
import { stubMark } from './gate-names.js';
import {
  type RelationshipWritten,
  remappingOf,
  requireCanonical,
  type WrittenEndpoint,
} from './gate-results.js';
import type { GateTarget, GateTransaction, Keys, StoredNode } from './gate-target.js';
import type { GateWriter } from './gate-writer.js';
import { mergeProperties, rejectConflicts, type Stamp } from './merge-properties.js';
import { placeWrite } from './review/place-write.js';
import { gateVersion, nodeProvenance, stampOf } from './stamp.js';
import {
  flagSuspicious,
  type SuspiciousPart,
  suspiciousIn,
  suspiciousInStub,
  warningsOf,
} from './suspicious/flag-suspicious.js';

interface Endpoint {
  readonly argument: 'from' | 'to';
  readonly label: ResolvedName;
  readonly keys: Keys;
}

/** Checks a relationship and writes it, with stubs for missing endpoints if the policy allows that. */
export async function writeRelationship(
  target: GateTarget,
  writer: GateWriter,
  claim: RelationshipClaim,
): Promise<RelationshipWritten> {
  for (const check of relationshipChecks) check(claim);
  const suspicious = suspiciousIn(claim);
  const { result, placement } = await placeWrite(
    target,
    writer,
    claim,
    suspicious,
    (transaction, derivation, confidence) =>
      mergeRelationship(transaction, claim, derivation, confidence, suspicious),
  );
  return {
    ...placement,
    type: requireCanonical(claim.type),
    from: writtenEnd(fromOf(claim), result.stubs.from),
    to: writtenEnd(toOf(claim), result.stubs.to),
    created: result.created,
    confidence: result.confidence,
    write_gate_version: gateVersion,
    ...warningsOf(suspicious),
    ...(result.conflicts.length > 0 ? { conflicts: result.conflicts } : {}),
  };
}

async function mergeRelationship(
  transaction: GateTransaction,
  claim: RelationshipClaim,
  derivation: Derivation,
  computed: () => number,
  suspicious: readonly SuspiciousPart[],
) {
  const { args, rules } = claim;
  const ends = {
    from: await findEndpoint(transaction, fromOf(claim)),
    to: await findEndpoint(transaction, toOf(claim)),
  };
  if (args.endpoint_policy === 'fail_if_missing') requireEndpoints(claim, ends);
  const { maxConfidence } = derivation;
  const confidence = Math.min(computed(), maxConfidence);
  const stamp = stampOf(args, confidence, transaction.now, derivation);
  const from = ends.from ?? (await putStub(transaction, fromOf(claim), stamp, suspicious));
  // Both endpoints may be the same node, which exists by now.
  const found =
    ends.to ?? (ends.from === undefined ? await findEndpoint(transaction, toOf(claim)) : undefined);
  const to = found ?? (await putStub(transaction, toOf(claim), stamp, suspicious));
  const type = requireCanonical(claim.type);
  const before = await transaction.relationship(from, type, to);
  const judge = evidenceOf(claim, confidence, transaction.now, maxConfidence);
  const merged = mergeProperties(before, args.properties, stamp, rules.conflicts, judge);
  rejectConflicts(merged.conflicts, rules.conflicts);
  const provenance = flagSuspicious({ ...stamp, properties: merged.origins }, suspicious, ['properties']);
  await transaction.putRelationship({ from, type, to, properties: merged.properties, provenance });
  return {
    confidence,
    created: before === undefined,
    conflicts: merged.conflicts,
    stubs: { from: ends.from === undefined, to: found === undefined },
  };
}

function requireEndpoints(
  claim: RelationshipClaim,
  found: { readonly from: StoredNode | undefined; readonly to: StoredNode | undefined },
): void {
  const missing = [
    ...(found.from === undefined ? [fromOf(claim)] : []),
    ...(found.to === undefined ? [toOf(claim)] : []),
  ].map(({ argument, label, keys }) => ({ end: argument, label: requireCanonical(label), keys }));
  if (missing.length === 0) return;
  throw new RejectedError(
    'ENDPOINT_NOT_FOUND',
    `Endpoint not found: ${missing.map(({ end, label, keys }) => `${label} ${JSON.stringify(keys)} (${end})`).join(', ')}.`,
    'Write it first with write_node, or set endpoint_policy to merge_endpoints to leave a stub.',
    { missing },
  );
}

function putStub(
  transaction: GateTransaction,
  { argument, label, keys }: Endpoint,
  stamp: Stamp,
  suspicious: readonly SuspiciousPart[],
): Promise<StoredNode> {
  const { properties, origins } = mergeProperties(undefined, keys, stamp, 'warn');
  return transaction.putNode({
    label: requireCanonical(label),
    keys,
    properties: { ...properties, [stubMark]: true },
    provenance: flagSuspicious(
      nodeProvenance(stamp, { origins }, label, keys, undefined),
      suspiciousInStub(suspicious, argument),
      [`${argument}_keys`],
    ),
  });
}

function findEndpoint(
  transaction: GateTransaction,
  { label, keys }: Endpoint,
): Promise<StoredNode | undefined> {
  return findNodeByKeys(transaction, requireCanonical(label), keys);
}

function fromOf({ from, args }: RelationshipClaim): Endpoint {
  return { argument: 'from', label: from, keys: args.from_keys };
}

function toOf({ to, args }: RelationshipClaim): Endpoint {
  return { argument: 'to', label: to, keys: args.to_keys };
}

function writtenEnd({ label, keys }: Endpoint, isStub: boolean): WrittenEndpoint {
  return {
    label: requireCanonical(label),
    keys,
    ...remappingOf(label),
    ...(isStub ? { stub_created: true as const } : {}),
  };
}
