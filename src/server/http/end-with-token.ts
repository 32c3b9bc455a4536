import type { ServerResponse } from 'node:http';
import type { Access } from '../../access/access.js';
import type { Actor } from '../../access/actor.js';
import type { Credentials } from '../../access/bearer.js';
import { asTrellisError } from '../../model/error.js';

/** How often it is looked whether whoever receives a stream still may. */
const recheckMs = 1_000;

/**
 * Breaks an answer off that is still being sent when its token has expired or was revoked, or makes somebody else of its
 * sender than it did: a stream must not outlive what opened it.
 */
export function endWithToken(
  response: ServerResponse,
  access: Access,
  { credentials, actor }: { readonly credentials: Credentials; readonly actor: Actor },
): void {
  if (response.closed) return;
  const timer = setInterval(async () => {
    if (!(await isStill(actor, () => access.authenticate(credentials)))) response.destroy();
  }, recheckMs);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}

async function isStill(actor: Actor, authenticate: () => Promise<Actor>): Promise<boolean> {
  try {
    return JSON.stringify(await authenticate()) === JSON.stringify(actor);
  } catch (error) {
    // As long as nobody can say whether a token is good, it stays what it was.
    return asTrellisError(error).code !== 'UNAUTHENTICATED';
  }
}
