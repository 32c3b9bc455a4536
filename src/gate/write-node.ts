import type { NodeClaim } from './check/claim.js';
import { evidenceOf } from './check/compute-confidence.js';
import { nodeChecks } from './check/gate-checks.js';
import type { Derivation } from './derivation/resolve-derivation.js';
import { findNodeByKeys } from './find-node-by-keys.js';
import { stubMark } from './gate-names.js';
import { type NodeWritten, remappingOf, requireCanonical } from './gate-results.js';
import type { GateTarget, GateTransaction, NodeToStore, SimilarNode } from './gate-target.js';
import type { GateWriter } from './gate-writer.js';
import { mergeProperties, rejectConflicts } from './merge-properties.js';
import { placeWrite } from './review/place-write.js';
import { filterSimilarSpelling } from './similar-spelling.js';
import { gateVersion, nodeProvenance, stampOf } from './stamp.js';
import {
  flagSuspicious,
  type SuspiciousPart,
  suspiciousIn,
  warningsOf,
} from './suspicious/flag-suspicious.js';

/** Checks a node and writes it: over the node its keys identify, or as a new one. */
export async function writeNode(
  target: GateTarget,
  writer: GateWriter,
  claim: NodeClaim,
): Promise<NodeWritten> {
  for (const check of nodeChecks) check(claim);
  const suspicious = suspiciousIn(claim);
  const { result, placement } = await placeWrite(
    target,
    writer,
    claim,
    suspicious,
    (transaction, derivation, confidence) =>
      mergeNode(transaction, claim, derivation, confidence, suspicious),
  );
  const similar = result.similar();
  return {
    ...placement,
    label: requireCanonical(claim.label),
    merge_keys: claim.args.merge_keys,
    created: result.created,
    confidence: result.confidence,
    write_gate_version: gateVersion,
    ...remappingOf(claim.label),
    ...(result.conflicts.length > 0 ? { conflicts: result.conflicts } : {}),
    ...warningsOf(suspicious),
    ...(similar.length > 0 ? { similar } : {}),
  };
}

async function mergeNode(
  transaction: GateTransaction,
  claim: NodeClaim,
  derivation: Derivation,
  computed: () => number,
  suspicious: readonly SuspiciousPart[],
) {
  const { args, label, rules } = claim;
  const { maxConfidence } = derivation;
  const confidence = Math.min(computed(), maxConfidence);
  const keys = args.merge_keys;
  const before = await findNodeByKeys(transaction, requireCanonical(label), keys, true);
  const stamp = stampOf(args, confidence, transaction.now, derivation);
  const judge = evidenceOf(claim, confidence, transaction.now, maxConfidence);
  const merged = mergeProperties(before, { ...args.properties, ...keys }, stamp, rules.conflicts, judge);
  rejectConflicts(merged.conflicts, rules.conflicts);
  // Writing the node itself completes a stub.
  const { [stubMark]: _mark, ...properties } = merged.properties;
  const node = { label: requireCanonical(label), keys, properties };
  const created = before === undefined;
  // Only suggestions, for an agent that creates a node although it means an existing one.
  const similar = created ? await similarTo(transaction, node) : () => [];
  await transaction.putNode({
    ...node,
    replaces: before,
    provenance: flagSuspicious(nodeProvenance(stamp, merged, label, keys, before?.provenance), suspicious, [
      'properties',
      'merge_keys',
    ]),
  });
  return { confidence, created, similar, conflicts: merged.conflicts };
}

async function similarTo(
  transaction: GateTransaction,
  node: Pick<NodeToStore, 'label' | 'keys' | 'properties'>,
): Promise<() => readonly SimilarNode[]> {
  const name = await transaction.nameFor(node);
  const candidates = await transaction.speltLike(node.label, name);
  return () => filterSimilarSpelling(name, candidates());
}
