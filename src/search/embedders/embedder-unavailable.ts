import { reasonOf, TrellisError } from '../../model/error.js';

export function embedderUnavailable(reason: string, hint: string, cause?: unknown): TrellisError {
  return new TrellisError('EMBEDDER_UNAVAILABLE', reason, {
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What an embedder threw; the message may name its address or folder, so it is private. */
export function asEmbedderError(thrown: unknown): TrellisError {
  if (thrown instanceof TrellisError) return thrown;
  return embedderUnavailable(reasonOf(thrown), 'Check that the model server runs.', thrown);
}
