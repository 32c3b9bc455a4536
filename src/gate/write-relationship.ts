import { canonicalOf, type RelationshipWritten, remapping, type WrittenEnd } from './answers.js';
import type { RelationshipClaim } from './check/claim.js';
import { confidence } from './check/confidence.js';
import { conflictsAllowed } from './check/conflicts.js';
import type { ResolvedName } from './check/names.js';
import { relationshipChecks } from './check/order.js';
import { Rejected } from './check/reject.js';
import { findOne } from './find-one.js';
import { mergeProperties, type Stamp } from './merge-properties.js';
import { stubMark } from './names.js';
import { nodeProvenance, relationshipProvenance, stampOf } from './stamp.js';
import type { GateTarget, GateTransaction, Keys, StoredNode } from './target.js';
import { gateVersion } from './version.js';

/** One end of the relationship as the agent named it. */
interface End {
  readonly argument: 'from' | 'to';
  readonly label: ResolvedName;
  readonly keys: Keys;
}

/** Checks a relationship and writes it, with the ends it needs if the policy allows that. */
export async function writeRelationship(
  target: GateTarget,
  claim: RelationshipClaim,
): Promise<RelationshipWritten> {
  for (const check of relationshipChecks) check(claim);
  const { result } = await target.write((transaction) => mergeRelationship(transaction, claim));
  return {
    status: 'written',
    type: canonicalOf(claim.type),
    from: writtenEnd(fromOf(claim), result.stubs.from),
    to: writtenEnd(toOf(claim), result.stubs.to),
    created: result.created,
    confidence: result.trust,
    write_gate_version: gateVersion,
    ...(result.conflicts.length > 0 ? { conflicts: result.conflicts } : {}),
  };
}

async function mergeRelationship(transaction: GateTransaction, claim: RelationshipClaim) {
  const { args, rules } = claim;
  const ends = {
    from: await findEnd(transaction, fromOf(claim)),
    to: await findEnd(transaction, toOf(claim)),
  };
  if (args.endpoint_policy === 'fail_if_missing') endsFound(claim, ends);
  const trust = confidence(claim);
  const stamp = stampOf(args, trust, transaction.now);
  const from = ends.from ?? (await putStub(transaction, fromOf(claim), stamp));
  // Both ends may mean the same node, which is there by now.
  const found = ends.to ?? (ends.from === undefined ? await findEnd(transaction, toOf(claim)) : undefined);
  const to = found ?? (await putStub(transaction, toOf(claim), stamp));
  const type = canonicalOf(claim.type);
  const before = await transaction.relationship(from, type, to);
  const merged = mergeProperties(before, args.properties, stamp, rules.conflicts);
  conflictsAllowed(merged.conflicts, rules.conflicts);
  const provenance = relationshipProvenance(stamp, merged);
  await transaction.putRelationship({ from, type, to, properties: merged.properties, provenance });
  return {
    trust,
    created: before === undefined,
    conflicts: merged.conflicts,
    stubs: { from: ends.from === undefined, to: found === undefined },
  };
}

function endsFound(
  claim: RelationshipClaim,
  found: { readonly from: StoredNode | undefined; readonly to: StoredNode | undefined },
): void {
  const missing = [
    ...(found.from === undefined ? [fromOf(claim)] : []),
    ...(found.to === undefined ? [toOf(claim)] : []),
  ].map(({ argument, label, keys }) => ({ end: argument, label: canonicalOf(label), keys }));
  if (missing.length === 0) return;
  throw new Rejected(
    'ENDPOINT_NOT_FOUND',
    `There is no ${missing.map(({ end, label, keys }) => `${label} ${JSON.stringify(keys)} (${end})`).join(' and no ')}.`,
    'Write it first with write_node, or set endpoint_policy to merge_endpoints to leave a stub.',
    { missing },
  );
}

/** A node that is only its key, marked as such until somebody writes the rest. */
function putStub(transaction: GateTransaction, { label, keys }: End, stamp: Stamp): Promise<StoredNode> {
  const { properties, origins } = mergeProperties(undefined, keys, stamp, 'warn');
  return transaction.putNode({
    label: canonicalOf(label),
    keys,
    properties: { ...properties, [stubMark]: true },
    provenance: nodeProvenance(stamp, { origins }, label, keys, undefined),
  });
}

function findEnd(transaction: GateTransaction, { label, keys }: End): Promise<StoredNode | undefined> {
  return findOne(transaction, canonicalOf(label), keys);
}

function fromOf({ from, args }: RelationshipClaim): End {
  return { argument: 'from', label: from, keys: args.from_keys };
}

function toOf({ to, args }: RelationshipClaim): End {
  return { argument: 'to', label: to, keys: args.to_keys };
}

function writtenEnd({ label, keys }: End, isStub: boolean): WrittenEnd {
  return {
    label: canonicalOf(label),
    keys,
    ...remapping(label),
    ...(isStub ? { stub_created: true as const } : {}),
  };
}
