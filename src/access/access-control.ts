import { type Actor, localActor } from './actor.js';
import type { Credentials } from './bearer-token.js';
import type { Denial } from './denial.js';
import { allowAll, type Permission, type PermissionCheck } from './permission.js';

/** Who sends a request, and what they may do: all the server knows about tokens and policies. */
export interface AccessControl {
  /** Whether a request must say who sends it. */
  readonly required: boolean;
  /** Who gives out tokens, for clients that have none. */
  readonly issuers: readonly string[];
  /** To be asked once for each request. Throws `UNAUTHENTICATED` if the credentials are missing, wrong or out of date. */
  authenticate(credentials: Credentials): Promise<Actor>;
  /** What an actor may do on a branch of a graph. */
  may(actor: Actor, graph: string, branch: string): PermissionCheck;
  /** What an actor may do on the server as a whole. */
  mayOnServer(actor: Actor): PermissionCheck;
  /** Whether an actor has any grant on a graph; to one without it, the graph is not there. */
  canSee(actor: Actor, graph: string): boolean;
  /** Which of these permissions an actor lacks, and why. Without a graph, on the server as a whole. */
  denial(actor: Actor, permissions: readonly Permission[], graph?: string): Denial | undefined;
}

/** Whoever reaches the server is the person who started it, and may do everything: for loopback only. */
export function localAccessControl(actor: Actor = localActor()): AccessControl {
  return {
    required: false,
    issuers: [],
    authenticate: async () => actor,
    may: () => allowAll,
    mayOnServer: () => allowAll,
    canSee: () => true,
    denial: () => undefined,
  };
}
