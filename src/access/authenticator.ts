import { TrellisError } from '../model/error.js';
import type { Actor } from './actor.js';

/** Finds out who sends a token. */
export interface Authenticator {
  /** Rejects with `UNAUTHENTICATED`, or with `IDENTITY_PROVIDER_UNAVAILABLE` if that cannot be said now. */
  authenticate(bearer: string): Promise<Actor>;
}

/** Why a request was not let in: for the log, never for the client. */
export class AuthenticationFailure extends Error {
  override readonly name = 'AuthenticationFailure';
  /** Whether the request carried no token at all, which is no attempt that failed. */
  readonly missing: boolean;

  constructor(reason: string, { missing = false, cause }: { missing?: boolean; cause?: unknown } = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.missing = missing;
  }
}

/** The one answer to every token that is not accepted; what was wrong with it is only in its cause. */
export function unauthenticated(
  reason: string,
  options: { missing?: boolean; cause?: unknown } = {},
): TrellisError {
  return new TrellisError('UNAUTHENTICATED', 'The request carries no valid token.', {
    hint: 'Send one in the header: Authorization: Bearer TOKEN.',
    cause: new AuthenticationFailure(reason, options),
  });
}

/** What the log may say about a request that was not let in. */
export function authenticationFailureOf(error: unknown): AuthenticationFailure | undefined {
  return error instanceof TrellisError && error.cause instanceof AuthenticationFailure
    ? error.cause
    : undefined;
}

/** Asks one after the other; the first that knows the token decides. */
export function combineAuthenticators(authenticators: readonly Authenticator[]): Authenticator {
  return {
    async authenticate(bearer) {
      const reasons: string[] = [];
      for (const authenticator of authenticators) {
        try {
          return await authenticator.authenticate(bearer);
        } catch (error) {
          const failure = authenticationFailureOf(error);
          if (failure === undefined) throw error;
          reasons.push(failure.message);
        }
      }
      throw unauthenticated(reasons.join('; ') || 'no tokens are configured');
    },
  };
}
