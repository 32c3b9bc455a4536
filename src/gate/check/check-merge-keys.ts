import type { Claim } from './claim.js';
import { RejectedError } from './rejected-error.js';

/** A node without keys could never be found again. Runs after the required properties, which say more. */
export function checkMergeKeys({ parts }: Claim): void {
  const empty = parts.filter(({ keys, values }) => keys && Object.keys(values).length === 0);
  if (empty.length === 0) return;
  throw new RejectedError(
    'INVALID_ARGUMENT',
    `Wrong arguments: ${empty.map(({ argument }) => `${argument} must not be empty`).join('; ')}.`,
    'Give the properties that tell this node apart from others of its label, such as {"name": "…"}.',
    { faults: empty.map(({ argument }) => ({ argument, problem: 'must not be empty' })) },
  );
}
