import type { RelationshipClaim } from './claim.js';
import { Rejected } from './reject.js';

/** A relationship may only lead where its entry says. */
export function allowedEnds({ relation, type, from, to }: RelationshipClaim): void {
  if (relation === undefined) return;
  const wrong = [
    ...misplaced(from.canonical, relation.from_labels, 'from'),
    ...misplaced(to.canonical, relation.to_labels, 'to'),
  ];
  if (wrong.length === 0) return;
  const pairs = anyLabel(relation.from_labels).flatMap((start) =>
    anyLabel(relation.to_labels).map((end) => ({ from: start, to: end })),
  );
  throw new Rejected(
    'SCHEMA_ENDPOINT_MISMATCH',
    `${type.canonical} does not lead from ${from.canonical} to ${to.canonical}.`,
    `It leads from ${anyLabel(relation.from_labels).join(' or ')} to ${anyLabel(relation.to_labels).join(' or ')}; * is any label.`,
    {
      type: type.canonical,
      from: from.canonical,
      to: to.canonical,
      wrong,
      allowed: pairs.slice(0, pairsListed),
    },
  );
}

const pairsListed = 100;

function misplaced(label: string | undefined, allowed: readonly string[], end: string): string[] {
  return label === undefined || allowed.length === 0 || allowed.includes(label) ? [] : [end];
}

function anyLabel(labels: readonly string[]): readonly string[] {
  return labels.length === 0 ? ['*'] : labels;
}
