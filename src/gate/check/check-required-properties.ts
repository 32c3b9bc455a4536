import type { Claim } from './claim.js';
import { RejectedError } from './rejected-error.js';

/** Required properties may be among the properties or the keys; null does not count. */
export function checkRequiredProperties({ required }: Claim): void {
  const given = new Set(
    required.parts.flatMap(({ values }) => Object.keys(values).filter((name) => values[name] !== null)),
  );
  const missing = required.properties.filter((name) => !given.has(name));
  if (missing.length === 0) return;
  throw new RejectedError(
    'SCHEMA_MISSING_REQUIRED_PROPERTY',
    `The schema requires ${missing.join(', ')}.`,
    `Give ${missing.length === 1 ? 'it' : 'them'} in ${required.parts.map(({ argument }) => argument).join(' or ')}.`,
    { missing },
  );
}
