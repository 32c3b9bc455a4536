import { TrellisError } from '../../model/error.js';

export function checkWeight(weight: number): number {
  if (weight >= 0 && weight <= 1) return weight;
  throw new TrellisError('INVALID_ARGUMENT', 'Edge weight must be between 0 and 1', {
    hint: 'Nothing was done. Give a weight from 0 to 1, or leave it out.',
    details: { weight: String(weight) },
  });
}
