import type { IncomingMessage } from 'node:http';
import { TrellisError } from '../../../model/error.js';
import type { BufferReservation } from './buffered-bytes.js';

export interface IncomingBody {
  readonly req: { readonly raw: Request };
  readonly env: { readonly incoming: IncomingMessage };
  readonly var: { readonly trackBody: () => BufferReservation };
}

/** Refuses compressed and incomplete bodies. */
export async function* bodyBytes({
  req: { raw },
  env,
  var: { trackBody },
}: IncomingBody): AsyncGenerator<Uint8Array> {
  const encoding = raw.headers.get('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new TrellisError('INVALID_ARGUMENT', `The body is encoded as ${JSON.stringify(encoding)}.`, {
      hint: 'Nothing was done. Send it as it is, without Content-Encoding.',
    });
  const held = trackBody();
  let arrived = 0;
  try {
    for await (const chunk of raw.body ?? []) {
      arrived += chunk.byteLength;
      held.set(arrived);
      yield chunk;
    }
  } catch (error) {
    throw bodyIncomplete(error);
  } finally {
    held.release();
  }
  // A body that broke off before anybody read it looks empty.
  if (!env.incoming.complete) throw bodyIncomplete(undefined);
}

function bodyIncomplete(cause: unknown): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', 'The body is incomplete.', {
    hint: 'Nothing was done. Send all of it again.',
    cause,
  });
}
