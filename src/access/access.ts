import { type May, mayEverything } from '../surfaces/permission.js';
import { type Actor, localActor } from './actor.js';

/** What a request brings that can say who sends it. */
export interface Credentials {
  /** Every `Authorization` header of the request. */
  readonly authorization: readonly string[];
  /** The address asked for, whose query must not carry a token. */
  readonly url: URL;
}

/** Who sends a request, and what they may do: the only thing the server knows about tokens and policies. */
export interface Access {
  /** Whether a request must say who sends it. */
  readonly required: boolean;
  /** Throws `UNAUTHENTICATED` if the credentials are missing, wrong or out of date. */
  authenticate(credentials: Credentials): Promise<Actor>;
  /** What an actor may do on a branch of a graph. */
  may(actor: Actor, graph: string, branch: string): May;
  /** Whether an actor has any grant on a graph; to one without it, the graph is not there. */
  sees(actor: Actor, graph: string): boolean;
  /** Lets go of the files it watches. */
  close(): Promise<void>;
}

/** Whoever reaches the server is the person who started it, and may do everything: for loopback only. */
export function localAccess(actor: Actor = localActor()): Access {
  return {
    required: false,
    authenticate: async () => actor,
    may: () => mayEverything,
    sees: () => true,
    close: async () => {},
  };
}
