import { userInfo } from 'node:os';

/** Resolved once per request; nothing above `access/` knows how. */
export interface Actor {
  readonly id: string;
  readonly groups: readonly string[];
  readonly tenant?: string;
  readonly scopes: readonly string[];
  /** A visitor has no token, and may do nothing but sign in. */
  readonly source: 'local' | 'token' | 'oidc' | 'visitor';
}

/** Tokens of one person may differ in groups and scopes. */
export function isSameActor(one: Actor, other: Actor): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function localActor(): Actor {
  return { id: localName(), groups: [], scopes: [], source: 'local' };
}

function localName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id that has no name.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
