import { TrellisError } from '../../model/error.js';
import type { Claim } from '../check/claim.js';
import { confidenceOf } from '../check/compute-confidence.js';
import { isRejection } from '../check/rejected-error.js';
import {
  checkMayNameSources,
  type Derivation,
  type FoundSources,
  findDerivation,
  requireKnown,
  resolveDerivation,
  underived,
} from '../derivation/resolve-derivation.js';
import type { HeldPlacement, Placement } from '../gate-results.js';
import type { GateTarget, GateTransaction } from '../gate-target.js';
import type { GateWriter } from '../gate-writer.js';
import type { SuspiciousPart } from '../suspicious/flag-suspicious.js';
import { HeldRejection } from './held-rejection.js';
import { findHold, type Hold, holdSuspicious, reviewBranchName } from './trust-rules.js';

/** Merges a claim into what a branch holds. */
type WriteClaim<T> = (
  transaction: GateTransaction,
  derivation: Derivation,
  /** What the formula says; throws if it fails. */
  confidence: () => number,
) => Promise<T>;

/** Writes what is trusted to the target, and the rest to a branch where it waits for review. */
export async function placeWrite<T>(
  target: GateTarget,
  writer: GateWriter,
  claim: Claim,
  suspicious: readonly SuspiciousPart[],
  write: WriteClaim<T>,
): Promise<{ readonly result: T; readonly placement: Placement }> {
  checkMayNameSources(claim, writer.mayRead());
  const isDerived = claim.origin.derived_from.length > 0;
  const confidence = confidenceOf(claim);
  const hold = isDerived ? undefined : holdOf(claim, suspicious, confidence, 1);
  if (hold !== undefined)
    return holdWrite(target, writer, hold, (transaction) => write(transaction, underived, confidence));
  try {
    const { result } = await target.write(async (transaction) => {
      const sources = await findDerivation(transaction, claim);
      const derived = isDerived ? holdOf(claim, suspicious, confidence, sources.maxConfidence) : undefined;
      if (derived !== undefined) throw new MustHold(derived, sources);
      return write(transaction, requireKnown(sources, claim), confidence);
    });
    return { result, placement: { status: 'written' } };
  } catch (error) {
    if (!(error instanceof MustHold)) throw error;
    const { sources } = error;
    return holdWrite(target, writer, error.hold, async (transaction, mayRead) =>
      // To others, the confidence must not tell what the branch holds.
      write(
        transaction,
        mayRead ? await resolveDerivation(transaction, claim) : requireKnown(sources, claim),
        confidence,
      ),
    );
  }
}

/** Undoes a transaction on the target, which had to tell how certain the sources of the write are. */
class MustHold extends Error {
  readonly hold: Hold;
  readonly sources: FoundSources;

  constructor(hold: Hold, sources: FoundSources) {
    super(hold.because);
    this.hold = hold;
    this.sources = sources;
  }
}

async function holdWrite<T>(
  target: GateTarget,
  { actor, mayRead }: GateWriter,
  hold: Hold,
  write: (transaction: GateTransaction, mayRead: boolean) => Promise<T>,
): Promise<{ readonly result: T; readonly placement: HeldPlacement }> {
  const { branches } = target;
  if (branches === undefined)
    throw new TrellisError('CAPABILITY_MISSING', 'This write must be held, but its target has no branches.', {
      hint: 'Nothing was written. Remove gate.trust and gate.suspicious_text: hold from the settings of the gate.',
    });
  const { current } = branches;
  const branch = reviewBranchName(hold.branch, actor, current);
  const { result, commit, isBehind } = await branches
    .write(branch, (transaction) => write(transaction, mayRead(branch)))
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

function holdOf(
  claim: Claim,
  [first]: readonly SuspiciousPart[],
  confidence: () => number,
  maxConfidence: number,
): Hold | undefined {
  const { trust, suspiciousText } = claim.rules;
  const hold = trust.length === 0 ? undefined : untrusted(claim, confidence, maxConfidence);
  if (hold !== undefined || suspiciousText !== 'hold' || first === undefined) return hold;
  return holdSuspicious(first.path);
}

/** If the formula fails, the write reports that at its place among the checks. */
function untrusted(
  { rules, origin }: Claim,
  confidence: () => number,
  maxConfidence: number,
): Hold | undefined {
  try {
    return findHold(rules.trust, Math.min(confidence(), maxConfidence), origin.extraction_method);
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
}
