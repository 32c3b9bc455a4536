import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { WatchedFile, type WatchedFileOptions } from '../../file/watched-file.js';
import { reasonOf, TrellisError } from '../../model/error.js';

export interface KeySource {
  current(): Promise<LocalJWKSet>;
  /** Newer keys, because these lack one that a token names; undefined if there are none. */
  newerThan(keys: LocalJWKSet): Promise<LocalJWKSet | undefined>;
}

export async function fileKeys(path: string, options: WatchedFileOptions): Promise<KeySource> {
  const file = await WatchedFile.open(path, (text) => parseKeySet(JSON.parse(text)), options).catch(
    (cause) => {
      const reason = reasonOf(cause);
      throw new TrellisError('USAGE', `OIDC: the keys in ${path} cannot be used: ${reason}`, {
        hint: 'Put the JSON Web Key Set of the issuer there.',
        cause,
      });
    },
  );
  return { current: () => file.current(), newerThan: async () => undefined };
}

export interface RemoteKeyOptions {
  readonly warn: (message: string) => void;
  /** Older keys are fetched again in the background. Default: ten minutes. */
  readonly maxAgeMs?: number;
  /** Between two attempts to fetch keys. Default: 30 seconds. */
  readonly pauseMs?: number;
  readonly now?: () => number;
}

/**
 * Requests wait for the provider only while there are no keys, or for an unknown key. If it cannot be reached, the
 * fetched keys stay in use.
 */
export class RemoteKeys implements KeySource {
  readonly #fetch: () => Promise<unknown>;
  readonly #warn: (message: string) => void;
  readonly #maxAgeMs: number;
  readonly #pauseMs: number;
  readonly #now: () => number;
  #keys: LocalJWKSet | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #failure: unknown;
  #fetching: Promise<void> | undefined;

  constructor(fetch: () => Promise<unknown>, options: RemoteKeyOptions) {
    this.#fetch = fetch;
    this.#warn = options.warn;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
    this.#pauseMs = options.pauseMs ?? 30_000;
    this.#now = options.now ?? (() => performance.now());
  }

  async current(): Promise<LocalJWKSet> {
    if (this.#keys === undefined) await this.#refresh();
    else if (this.#now() - this.#fetchedAt > this.#maxAgeMs) void this.#refresh();
    if (this.#keys === undefined) throw unavailable(this.#failure);
    return this.#keys;
  }

  async newerThan(keys: LocalJWKSet): Promise<LocalJWKSet | undefined> {
    if (this.#keys === keys) await this.#refresh();
    return this.#keys === keys ? undefined : this.#keys;
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
    try {
      this.#keys = parseKeySet(await this.#fetch());
      this.#fetchedAt = this.#now();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      const kept = this.#keys === undefined ? '' : ' The keys fetched before stay in use.';
      this.#warn(`The keys of the identity provider cannot be fetched: ${reasonWithCause(error)}.${kept}`);
    }
  }
}

function unavailable(cause: unknown): TrellisError {
  return new TrellisError('IDENTITY_PROVIDER_UNAVAILABLE', 'Tokens cannot be checked at the moment.', {
    hint: 'Try again in a minute.',
    cause,
  });
}

function reasonWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function parseKeySet(document: unknown): LocalJWKSet {
  if (!isKeySet(document)) throw new Error('not a JSON Web Key Set: it needs a list "keys" of objects');
  // A symmetric secret must not become a key that tokens are checked with.
  return createLocalJWKSet({ keys: document.keys.filter((key) => key.kty !== 'oct') });
}

interface KeyDocument {
  readonly keys: { readonly kty: string }[];
}

function isKeySet(document: unknown): document is KeyDocument {
  return (
    typeof document === 'object' &&
    document !== null &&
    'keys' in document &&
    Array.isArray(document.keys) &&
    document.keys.every(
      (key: unknown) =>
        typeof key === 'object' && key !== null && 'kty' in key && typeof key.kty === 'string',
    )
  );
}
