import type { Action, atLeastOne } from '../permission.js';

/** What is to be decided. `some` asks whether there is a branch, or a query, for which it is allowed. */
export interface AccessRequest {
  readonly action: Action;
  /** Left out: the server as a whole, which only actions on graphs can be about. */
  readonly graph?: string | undefined;
  /** Left out, only actions on graphs are allowed. */
  readonly branch?: string | typeof atLeastOne | undefined;
  /** Left out, `invoke_query` is denied. */
  readonly query?: string | typeof atLeastOne | undefined;
}

/** A question about one thing. */
export interface ConcreteAccessRequest extends AccessRequest {
  readonly branch?: string | undefined;
  readonly query?: string | undefined;
}

/** An answer, and the rule it comes from; without one, nothing allows it. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule?: string;
}

export const denied: Decision = { allowed: false };
