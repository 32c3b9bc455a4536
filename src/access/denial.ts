import { type Action, atLeastOne, type Permission } from './permission.js';

/** For the operator, never for the actor. */
export interface Denial {
  readonly action: Action;
  readonly branch?: string;
  readonly query?: string;
  /** As the policy file names it; `no rule` if none allows it. */
  readonly rule: string;
  /** The policy file, or `none`. */
  readonly policy: string;
}

export function describePermission({ action, branch, query }: Permission): Omit<Denial, 'rule' | 'policy'> {
  return {
    action,
    ...(branch === undefined ? {} : { branch: branch === atLeastOne ? 'any' : branch }),
    ...(query === undefined ? {} : { query: query === atLeastOne ? 'any' : query }),
  };
}
