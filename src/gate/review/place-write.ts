import { TrellisError } from '../../model/error.js';
import type { Claim } from '../check/claim.js';
import { computeConfidence } from '../check/compute-confidence.js';
import { isRejection } from '../check/rejected-error.js';
import { type Derivation, resolveDerivation } from '../derivation/resolve-derivation.js';
import type { HeldPlacement, Placement } from '../gate-results.js';
import type { GateTarget, GateTransaction } from '../gate-target.js';
import { suspiciousIn } from '../suspicious/flag-suspicious.js';
import { HeldRejection } from './held-rejection.js';
import { findHold, type Hold, holdSuspicious, reviewBranchName } from './trust-rules.js';

/** Merges a claim into what a branch holds. */
type WriteClaim<T> = (transaction: GateTransaction, derivation: Derivation) => Promise<T>;

/** Writes what is trusted to the target, and the rest to a branch where it waits for review. */
export async function placeWrite<T>(
  target: GateTarget,
  actor: string,
  claim: Claim,
  write: WriteClaim<T>,
): Promise<{ readonly result: T; readonly placement: Placement }> {
  const hold = holdOf(claim);
  if (hold !== undefined) return holdWrite(target, actor, hold, claim, write);
  try {
    const { result } = await target.write(async (transaction) => {
      const derivation = await resolveDerivation(transaction, claim);
      const derived = holdOf(claim, derivation.maxConfidence);
      if (derived !== undefined) throw new MustHold(derived);
      return write(transaction, derivation);
    });
    return { result, placement: { status: 'written' } };
  } catch (error) {
    if (error instanceof MustHold) return holdWrite(target, actor, error.hold, claim, write);
    throw error;
  }
}

/** Undoes a transaction on the target: what the write was derived from is not trusted. */
class MustHold extends Error {
  readonly hold: Hold;

  constructor(hold: Hold) {
    super(hold.because);
    this.hold = hold;
  }
}

async function holdWrite<T>(
  target: GateTarget,
  actor: string,
  hold: Hold,
  claim: Claim,
  write: WriteClaim<T>,
): Promise<{ readonly result: T; readonly placement: HeldPlacement }> {
  const { branches } = target;
  if (branches === undefined)
    throw new TrellisError('CAPABILITY_MISSING', 'This write must be held, but its target has no branches.', {
      hint: 'Nothing was written. Remove gate.trust and gate.suspicious_text: hold from the settings of the gate.',
    });
  const { current } = branches;
  const branch = reviewBranchName(hold.branch, actor, current);
  const { result, commit, isBehind } = await branches
    .write(branch, async (transaction) => write(transaction, await resolveDerivation(transaction, claim)))
    .catch((error: unknown) => {
      throw isRejection(error) ? new HeldRejection(branch, error) : error;
    });
  return {
    result,
    placement: {
      status: 'held',
      branch,
      ...(commit === null ? {} : { commit_id: commit }),
      reason: hold.reason,
      ...(isBehind ? { behind: true } : {}),
      message: heldMessage(branch, current, hold, isBehind),
    },
  };
}

function heldMessage(branch: string, current: string, { because }: Hold, isBehind: boolean): string {
  const state = isBehind
    ? ` It was compared with ${branch}, which lacks newer commits of ${current}; merge ${current} into it to review both together.`
    : '';
  return `Stored on the branch ${branch}, because ${because}. It is not on ${current} until somebody reviews and merges that branch: in the explorer, with branches_merge or with trellis branch merge. Do not write it again.${state}`;
}

function holdOf(claim: Claim, maxConfidence = 1): Hold | undefined {
  const { trust, suspiciousText } = claim.rules;
  const hold = trust.length === 0 ? undefined : untrusted(claim, maxConfidence);
  if (hold !== undefined || suspiciousText !== 'hold') return hold;
  const [first] = suspiciousIn(claim);
  return first === undefined ? undefined : holdSuspicious(first.path);
}

/** If the formula fails, the write reports that at its place among the checks. */
function untrusted({ rules, origin }: Claim, maxConfidence: number): Hold | undefined {
  try {
    const confidence = Math.min(computeConfidence({ rules, origin }), maxConfidence);
    return findHold(rules.trust, confidence, origin.extraction_method);
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
}
