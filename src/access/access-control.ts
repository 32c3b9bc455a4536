import { type Actor, localActor } from './actor.js';
import type { Credentials } from './bearer-token.js';
import type { Denial } from './denial.js';
import { allowAll, type Permission, type PermissionCheck } from './permission.js';
import type { AccessRequest, Decision } from './policy/access-request.js';
import type { SignInProvider } from './sign-in-provider.js';

/** All that the server knows about tokens and policies. */
export interface AccessControl {
  readonly required: boolean;
  /** For clients without a token. */
  readonly issuers: readonly string[];
  /** Where people without a token can sign in. */
  readonly signIn?: SignInProvider | undefined;
  /** Once per request. Throws `UNAUTHENTICATED` if the credentials are missing, wrong or expired. */
  authenticate(credentials: Credentials): Promise<Actor>;
  may(actor: Actor, graph: string, branch: string): PermissionCheck;
  mayOnServer(actor: Actor): PermissionCheck;
  /** Whether an actor has any grant on a graph; without one, the graph does not exist for it. */
  canSee(actor: Actor, graph: string): boolean;
  /** The first of these permissions that an actor lacks, and why. Without a graph, on the server as a whole. */
  denial(actor: Actor, permissions: readonly Permission[], graph?: string): Denial | undefined;
  /** For the operator: whether an actor may do something on a graph, and by which rule. */
  decide(actor: Actor, request: AccessRequest): Decision;
  /** The actors and groups that the policy of a graph mentions. */
  mentioned(graph: string): MentionedNames;
}

export interface MentionedNames {
  readonly actors: readonly string[];
  readonly groups: readonly string[];
}

/** Everybody is the user who started the server and may do everything: for loopback only. */
export function localAccessControl(actor: Actor = localActor()): AccessControl {
  return {
    required: false,
    issuers: [],
    authenticate: async () => actor,
    may: () => allowAll,
    mayOnServer: () => allowAll,
    canSee: () => true,
    denial: () => undefined,
    decide: () => ({ allowed: true }),
    mentioned: () => ({ actors: [], groups: [] }),
  };
}
