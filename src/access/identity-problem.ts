import { accessLimits } from '../model/limits.js';

export function identityProblem(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > accessLimits.identityLength)
    return `has ${name.length} characters; at most ${accessLimits.identityLength} are allowed`;
  if (!name.isWellFormed()) return 'contains half of a surrogate pair';
  // In logs and commits, such a character could make a name look like another.
  if (/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name))
    return 'contains a control character';
  if (name !== name.trim()) return 'begins or ends with a space';
  return undefined;
}
