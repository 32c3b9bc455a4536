import type { RelationshipClaim } from './claim.js';
import { RejectedError } from './rejected-error.js';

export function checkEndpointLabels({ relation, type, from, to }: RelationshipClaim): void {
  if (relation === undefined) return;
  const wrong = [
    ...disallowedEnd(from.canonical, relation.from_labels, 'from'),
    ...disallowedEnd(to.canonical, relation.to_labels, 'to'),
  ];
  if (wrong.length === 0) return;
  const pairs = labelsOrAny(relation.from_labels).flatMap((start) =>
    labelsOrAny(relation.to_labels).map((end) => ({ from: start, to: end })),
  );
  throw new RejectedError(
    'SCHEMA_ENDPOINT_MISMATCH',
    `${type.canonical} does not lead from ${from.canonical} to ${to.canonical}.`,
    `It leads from ${labelsOrAny(relation.from_labels).join(' or ')} to ${labelsOrAny(relation.to_labels).join(' or ')}; * is any label.`,
    {
      type: type.canonical,
      from: from.canonical,
      to: to.canonical,
      wrong,
      allowed: pairs.slice(0, maxPairsListed),
    },
  );
}

const maxPairsListed = 100;

function disallowedEnd(label: string | undefined, allowed: readonly string[], end: string): string[] {
  return label === undefined || allowed.length === 0 || allowed.includes(label) ? [] : [end];
}

function labelsOrAny(labels: readonly string[]): readonly string[] {
  return labels.length === 0 ? ['*'] : labels;
}
