import { TrellisError } from '../../model/error.js';

export interface RemoteOptions {
  readonly warn: (message: string) => void;
  /** Older documents are fetched again in the background. Default: ten minutes. */
  readonly maxAgeMs?: number;
  /** Between two attempts to fetch. Default: 30 seconds. */
  readonly pauseMs?: number;
  readonly now?: () => number;
}

interface DocumentTexts {
  /** In the plural, for the log. */
  readonly name: string;
  /** What clients are told while there is none. */
  readonly unavailable: string;
}

/**
 * A document of the identity provider. Requests wait for the provider only while there is none, or for a newer one. If it
 * cannot be reached, the fetched document stays in use.
 */
export class RemoteDocument<T extends object> {
  readonly #fetch: () => Promise<T>;
  readonly #texts: DocumentTexts;
  readonly #warn: (message: string) => void;
  readonly #maxAgeMs: number;
  readonly #pauseMs: number;
  readonly #now: () => number;
  #document: T | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #failure: unknown;
  #fetching: Promise<void> | undefined;

  constructor(fetch: () => Promise<T>, texts: DocumentTexts, options: RemoteOptions) {
    this.#fetch = fetch;
    this.#texts = texts;
    this.#warn = options.warn;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
    this.#pauseMs = options.pauseMs ?? 30_000;
    this.#now = options.now ?? (() => performance.now());
  }

  async current(): Promise<T> {
    if (this.#document === undefined) await this.#refresh();
    else if (this.#now() - this.#fetchedAt > this.#maxAgeMs) void this.#refresh();
    if (this.#document === undefined) throw providerUnavailable(this.#texts.unavailable, this.#failure);
    return this.#document;
  }

  async newerThan(document: T): Promise<T | undefined> {
    if (this.#document === document) await this.#refresh();
    return this.#document === document ? undefined : this.#document;
  }

  /** One attempt at a time with a pause in between: tokens with invented keys must not make us flood the provider. */
  async #refresh(): Promise<void> {
    if (this.#fetching === undefined) {
      if (this.#now() - this.#attemptedAt < this.#pauseMs) return;
      this.#attemptedAt = this.#now();
      this.#fetching = this.#load().finally(() => {
        this.#fetching = undefined;
      });
    }
    await this.#fetching;
  }

  async #load(): Promise<void> {
    const { name } = this.#texts;
    try {
      this.#document = await this.#fetch();
      this.#fetchedAt = this.#now();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      const kept = this.#document === undefined ? '' : ` The ${name} fetched before stay in use.`;
      this.#warn(`The ${name} of the identity provider cannot be fetched: ${reasonWithCause(error)}.${kept}`);
    }
  }
}

export function providerUnavailable(message: string, cause: unknown): TrellisError {
  return new TrellisError('IDENTITY_PROVIDER_UNAVAILABLE', message, {
    hint: 'Try again in a minute.',
    cause,
  });
}

export function reasonWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
