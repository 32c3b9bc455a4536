import { TrellisError } from '../../model/error.js';

/** An embedder that cannot be reached or does not answer as it should. */
export function embedderUnavailable(reason: string, hint: string, cause?: unknown): TrellisError {
  return new TrellisError('EMBEDDER_UNAVAILABLE', reason, {
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
