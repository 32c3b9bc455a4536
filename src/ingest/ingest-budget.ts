import { TrellisError } from '../model/error.js';

/**
 * Limits the bytes of all batches in progress. A batch takes a multiple of its size in memory, so several large ones at
 * once could crash the process.
 */
export class IngestBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of the stream count until the work ends; throws `SERVER_BUSY` if there are too many. */
  async use<T>(
    stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    work: (counted: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    let own = 0;
    const take = (bytes: number) => {
      own += bytes;
      this.#bytes += bytes;
      if (this.#bytes > this.#maxBytes && this.#bytes > own) throw ingestBusy(this.#maxBytes);
    };
    try {
      return await work(countBytes(stream, take));
    } finally {
      this.#bytes -= own;
    }
  }
}

async function* countBytes(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    take(chunk.byteLength);
    yield chunk;
  }
}

function ingestBusy(maxBytes: number): TrellisError {
  return new TrellisError(
    'SERVER_BUSY',
    `Other batches are being loaded; together they may have at most ${maxBytes} bytes.`,
    { hint: 'Nothing was written. Send it again in a few seconds, or in smaller batches.' },
  );
}
