import type { Actor } from '../../access/actor.js';
import { TrellisError } from '../../model/error.js';
import { InFlight } from '../in-flight.js';

/** Who sends a request, and what the log calls it. */
export interface Requester {
  readonly actor: Actor;
  readonly requestId: string;
}

/** Who sends a request, and waits for its answer. */
export interface HttpCaller extends Requester {
  /** The calls that the request makes. */
  readonly calls: InFlight;
  /** Aborted when whoever sent it hangs up. */
  readonly signal: AbortSignal;
}

/** How the SDK carries who sent a request from the route to the server made for it. */
export function toAuthInfo({ actor, requestId, calls }: Omit<HttpCaller, 'signal'>) {
  return { token: '', clientId: actor.id, scopes: [...actor.scopes], extra: { actor, requestId, calls } };
}

/** Who sent a request, as `toAuthInfo` has put it. */
export function fromAuthInfo(authInfo: { readonly extra?: Record<string, unknown> } | undefined) {
  const { actor, requestId, calls } = authInfo?.extra ?? {};
  if (!isActor(actor) || !(calls instanceof InFlight)) {
    throw new TrellisError('INTERNAL', 'A request reached the protocol without an actor.');
  }
  return { actor, requestId: String(requestId), calls };
}

function isActor(value: unknown): value is Actor {
  return typeof value === 'object' && value !== null && 'id' in value && 'source' in value;
}
