import { type Actor, localActor } from './actor.js';
import type { Credentials } from './bearer.js';
import type { Denial } from './denial.js';
import { type May, mayEverything, type Permission } from './permission.js';

/** Who sends a request, and what they may do: all the server knows about tokens and policies. */
export interface Access {
  /** Whether a request must say who sends it. */
  readonly required: boolean;
  /** Who gives out tokens, for clients that have none. */
  readonly issuers: readonly string[];
  /** To be asked once for each request. Throws `UNAUTHENTICATED` if the credentials are missing, wrong or out of date. */
  authenticate(credentials: Credentials): Promise<Actor>;
  /** What an actor may do on a branch of a graph. */
  may(actor: Actor, graph: string, branch: string): May;
  /** What an actor may do on the server as a whole. */
  mayOnServer(actor: Actor): May;
  /** Whether an actor has any grant on a graph; to one without it, the graph is not there. */
  sees(actor: Actor, graph: string): boolean;
  /** Which of these permissions an actor lacks, and why. Without a graph, on the server as a whole. */
  denial(actor: Actor, permissions: readonly Permission[], graph?: string): Denial | undefined;
}

/** Whoever reaches the server is the person who started it, and may do everything: for loopback only. */
export function localAccess(actor: Actor = localActor()): Access {
  return {
    required: false,
    issuers: [],
    authenticate: async () => actor,
    may: () => mayEverything,
    mayOnServer: () => mayEverything,
    sees: () => true,
    denial: () => undefined,
  };
}
