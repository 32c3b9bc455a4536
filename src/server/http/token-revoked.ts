import type { AccessControl } from '../../access/access-control.js';
import type { Actor } from '../../access/actor.js';
import type { Credentials } from '../../access/bearer-token.js';
import { asTrellisError } from '../../model/error.js';

/** Whether the token of a request has expired or was revoked since, or makes somebody else of its sender than it did. */
export async function isTokenRevoked(
  access: AccessControl,
  credentials: Credentials,
  actor: Actor,
): Promise<boolean> {
  try {
    return JSON.stringify(await access.authenticate(credentials)) !== JSON.stringify(actor);
  } catch (error) {
    // As long as nobody can say whether a token is good, it stays what it was.
    return asTrellisError(error).code === 'UNAUTHENTICATED';
  }
}
