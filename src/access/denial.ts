import { type Action, atLeastOne, type Permission } from './permission.js';

/** Why an actor may not do something: for whoever runs the server, never for the actor. */
export interface Denial {
  readonly action: Action;
  readonly branch?: string;
  readonly query?: string;
  /** The rule that forbids it, as the policy file names it, or `no rule` if none allows it. */
  readonly rule: string;
  /** The policy file that was asked, or `none`. */
  readonly policy: string;
}

/** What a permission is about, in words for a log. */
export function describePermission({ action, branch, query }: Permission): Omit<Denial, 'rule' | 'policy'> {
  return {
    action,
    ...(branch === undefined ? {} : { branch: branch === atLeastOne ? 'any' : branch }),
    ...(query === undefined ? {} : { query: query === atLeastOne ? 'any' : query }),
  };
}
