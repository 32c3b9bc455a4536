import { TrellisError } from '../model/error.js';
import type { Actor } from './actor.js';

export interface Authenticator {
  /** Rejects with `UNAUTHENTICATED`, or with `IDENTITY_PROVIDER_UNAVAILABLE` if the token cannot be checked now. */
  authenticate(bearer: string): Promise<Actor>;
}

/** For the log, never for the client. */
export class AuthenticationFailure extends Error {
  override readonly name = 'AuthenticationFailure';
  /** The request carried no token at all. */
  readonly missing: boolean;

  constructor(reason: string, { missing = false, cause }: { missing?: boolean; cause?: unknown } = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.missing = missing;
  }
}

/** The same for every refused token; only the cause says what was wrong with it. */
export function unauthenticated(
  reason: string,
  options: { missing?: boolean; cause?: unknown } = {},
): TrellisError {
  return new TrellisError('UNAUTHENTICATED', 'The request carries no valid token.', {
    hint: 'Send one in the header: Authorization: Bearer TOKEN.',
    cause: new AuthenticationFailure(reason, options),
  });
}

export function authenticationFailureOf(error: unknown): AuthenticationFailure | undefined {
  return error instanceof TrellisError && error.cause instanceof AuthenticationFailure
    ? error.cause
    : undefined;
}

/** The first that knows the token decides. */
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
