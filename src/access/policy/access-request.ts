import type { Action, atLeastOne } from '../permission.js';

/** `atLeastOne` asks whether some branch or query is allowed. */
export interface AccessRequest {
  readonly action: Action;
  /** Default: the server as a whole, for actions on graphs. */
  readonly graph?: string | undefined;
  /** Required except for actions on graphs. */
  readonly branch?: string | typeof atLeastOne | undefined;
  /** Required for `invoke_query`. */
  readonly query?: string | typeof atLeastOne | undefined;
}

export interface ConcreteAccessRequest extends AccessRequest {
  readonly branch?: string | undefined;
  readonly query?: string | undefined;
}

/** Without a rule, nothing allows it. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule?: string;
}

export const denied: Decision = { allowed: false };
