import type { Actor } from '../../src/access/actor.js';

/** Somebody who asks. */
export function actor(
  id: string,
  { groups = [], tenant, scopes = [] }: { groups?: string[]; tenant?: string; scopes?: string[] } = {},
): Actor {
  return { id, groups, ...(tenant === undefined ? {} : { tenant }), scopes, source: 'token' };
}

/** The example of the specification. */
export const example = `version: 1
groups: { team: [ann, bot-7] }
protected_branches: [main]
rules:
  - id: agents-read-and-look-up
    allow: { actors: { group: team }, actions: [read], branch_scope: any }
  - id: two-queries-only
    allow: { actors: { actor: bot-7 }, actions: [invoke_query], queries: [find_user, list_orders] }
  - id: feature-branches
    allow: { actors: { group: team }, actions: [change, branch_create], branch_scope: unprotected }
`;
