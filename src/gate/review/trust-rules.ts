import { createHash } from 'node:crypto';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { didYouMean } from '../../model/nearest.js';
import { listNames } from '../../model/quoting.js';

/** A write that meets every condition given is held on the branch. */
export interface TrustRule {
  /** Its confidence is less than this. */
  readonly below?: number | undefined;
  /** Its extraction method is one of these. */
  readonly methods?: readonly string[] | undefined;
  /** `{actor}` becomes the name of the actor. */
  readonly branch: string;
}

export const holdReasons = ['low_confidence', 'extraction_method', 'suspicious_text'] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Why and where a write waits for review. */
export interface Hold {
  readonly reason: HoldReason;
  /** For people. */
  readonly because: string;
  /** As in the rule. */
  readonly branch: string;
}

/** What the first rule that a write meets says. */
export function findHold(
  rules: readonly TrustRule[],
  confidence: number,
  extractionMethod: string,
): Hold | undefined {
  const rule = rules.find(
    ({ below, methods }) =>
      (below === undefined || confidence < below) &&
      (methods === undefined || methods.includes(extractionMethod)),
  );
  if (rule === undefined) return undefined;
  const { below, branch } = rule;
  return below === undefined
    ? {
        ...{ reason: 'extraction_method', branch },
        because: `facts found by ${extractionMethod} are reviewed first`,
      }
    : { reason: 'low_confidence', because: `its confidence ${confidence} is below ${below}`, branch };
}

/** The first rule that never applies, because an earlier one holds all that it would; both by their index. */
export function findShadowedRule(
  rules: readonly TrustRule[],
): { readonly rule: number; readonly by: number } | undefined {
  for (const [index, rule] of rules.entries()) {
    const by = rules.slice(0, index).findIndex((earlier) => holdsAllOf(earlier, rule));
    if (by >= 0) return { rule: index, by };
  }
  return undefined;
}

function holdsAllOf(earlier: TrustRule, { below, methods }: TrustRule): boolean {
  return (
    (earlier.below === undefined || (below !== undefined && below <= earlier.below)) &&
    (earlier.methods === undefined ||
      (methods?.every((method) => earlier.methods?.includes(method)) ?? false))
  );
}

/** A rule for a method that the formula does not have would never apply. */
export function checkTrustedMethods(rules: readonly TrustRule[], known: readonly string[] | undefined): void {
  if (known === undefined) return;
  const unknown = rules.flatMap(({ methods }) => methods ?? []).find((method) => !known.includes(method));
  if (unknown === undefined) return;
  throw new TrellisError('USAGE', `gate.trust names the unknown method ${JSON.stringify(unknown)}.`, {
    hint: `The methods of the formula are ${listNames(known)}.${didYouMean(unknown, known)}`,
  });
}

export const actorPlaceholder = '{actor}';

/** Where suspicious text waits, unless a rule names another branch. */
const defaultReviewBranch = `review/${actorPlaceholder}`;

export function holdSuspicious(path: string): Hold {
  return {
    reason: 'suspicious_text',
    because: `${path} looks like instructions to a model`,
    branch: defaultReviewBranch,
  };
}

/**
 * A held write never goes to the branch that it was sent to, nor to `main`. Each target has review branches of its own: a
 * merge into one target must not bring what another holds.
 */
export function reviewBranchName(template: string, actor: string, current: string): string {
  const name = template.replaceAll(actorPlaceholder, actorInBranchName(actor));
  if (current !== mainBranch) return `${name}/${current}`;
  return name === mainBranch ? `${name}-held` : name;
}

const maxActorLength = 100;

/** Different actors have different branches, whatever their names hold. */
function actorInBranchName(actor: string): string {
  const safe = actor
    .replace(/[^\p{L}\p{N}@._-]+/gu, '-')
    .slice(0, maxActorLength)
    .toWellFormed();
  if (safe === actor && !/^\.*$|-[0-9a-f]{8}$/.test(actor)) return actor;
  const digest = createHash('sha256').update(actor).digest('hex').slice(0, 8);
  return `${safe}-${digest}`;
}
