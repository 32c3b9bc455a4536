import { protectedFields as gateComputed } from '../gate-names.js';
import type { Claim } from './claim.js';
import { RejectedError } from './rejected-error.js';

export function checkProtectedFields({ parts }: Claim): void {
  const fields = parts.flatMap(({ argument, values }) =>
    Object.keys(values)
      .filter((name) => gateComputed.has(name))
      .map((field) => ({ argument, field })),
  );
  if (fields.length === 0) return;
  throw new RejectedError(
    'SCHEMA_PROTECTED_FIELD',
    `Only the gate sets ${[...new Set(fields.map(({ field }) => field))].join(', ')}.`,
    'Leave these out; give source, extraction_method and reliability as arguments of their own.',
    { fields },
  );
}
