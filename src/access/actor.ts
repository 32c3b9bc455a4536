import { userInfo } from 'node:os';

/** Who makes a request. Resolved once per request; nothing above `access/` knows how. */
export interface Actor {
  readonly id: string;
  readonly groups: readonly string[];
  readonly tenant?: string;
  readonly scopes: readonly string[];
  readonly source: 'local' | 'token' | 'oidc';
}

/** Whether two requests have the same rights: tokens of one person may differ in groups and scopes. */
export function isSameActor(one: Actor, other: Actor): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The person at this machine: whoever runs the process. */
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
