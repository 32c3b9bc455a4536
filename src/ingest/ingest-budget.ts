import { TrellisError } from '../model/error.js';

/**
 * How many bytes of batches may be on their way into graphs at the same time. Each is held in memory many times larger than
 * it was sent, and several large ones at once would take the whole process down.
 */
export class IngestBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Lets work read a stream, whose bytes count until the work has ended; throws `SERVER_BUSY` if there are too many. */
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
    `Others load batches at the moment; all together may have ${maxBytes} bytes.`,
    { hint: 'Nothing was written. Send it again in a few seconds, or in smaller batches.' },
  );
}
