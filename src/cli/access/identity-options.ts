import { identityProblem } from '../../access/identity-problem.js';
import { TrellisError } from '../../model/error.js';

export function checkIdentity(name: string, flag: string): string {
  const problem = identityProblem(name);
  if (problem === undefined) return name;
  throw new TrellisError('USAGE', `The name given with ${flag} ${problem}.`);
}

export function parseNames(given: string | undefined, flag: string): readonly string[] {
  if (given === undefined) return [];
  return given.split(',').map((name) => checkIdentity(name.trim(), flag));
}
