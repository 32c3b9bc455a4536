import { protectedFields as gateComputed } from '../names.js';
import type { Claim } from './claim.js';
import { Rejected } from './reject.js';

/** What the gate computes, nobody else may say. */
export function protectedFields({ parts }: Claim): void {
  const fields = parts.flatMap(({ argument, values }) =>
    Object.keys(values)
      .filter((name) => gateComputed.has(name))
      .map((field) => ({ argument, field })),
  );
  if (fields.length === 0) return;
  throw new Rejected(
    'SCHEMA_PROTECTED_FIELD',
    `Only the gate sets ${[...new Set(fields.map(({ field }) => field))].join(', ')}.`,
    'Leave these out; give source, extraction_method and reliability as arguments of their own.',
    { fields },
  );
}
