import type { ServerResponse } from 'node:http';
import { TrellisError } from '../../../model/error.js';
import type { Metrics } from '../metrics.js';
import type { ServerLimits } from './server-limits.js';

export interface OpenStreamsOptions {
  readonly limits: Pick<ServerLimits, 'streams' | 'concurrency'>;
  readonly metrics: Metrics;
}

/** Streams stay open and do not count as requests, so they have limits of their own: for each actor and in all. */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #actors = new Map<ServerResponse, string>();

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
  }

  /** Counts the response until it ends; throws if there are too many, or if the client has hung up. */
  admit(actor: string, response: ServerResponse): void {
    // It would not close again, and count forever.
    if (response.closed) throw new TrellisError('CANCELLED', 'The client hung up before the stream began.');
    const { streams, concurrency } = this.#options.limits;
    if (this.#actors.size >= streams) throw this.#refusal(`${streams} are already open, which is the limit`);
    const own = [...this.#actors.values()].filter((other) => other === actor);
    if (own.length >= concurrency) throw this.#refusal(`at most ${concurrency} for each actor`);
    this.#actors.set(response, actor);
    response.once('close', () => this.#actors.delete(response));
  }

  #refusal(reason: string): TrellisError {
    this.#options.metrics.denied('concurrency');
    return new TrellisError('SERVER_BUSY', `Too many streams: ${reason}.`, {
      hint: 'Close one first.',
      details: { retryAfterSeconds: 1 },
    });
  }
}
