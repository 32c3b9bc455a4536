import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { WatchedFile, type WatchedFileOptions } from '../../file/watched-file.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import { RemoteDocument, type RemoteOptions } from './remote-document.js';

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

export function remoteKeys(fetch: () => Promise<unknown>, options: RemoteOptions): KeySource {
  const texts = { name: 'keys', unavailable: 'Tokens cannot be checked at the moment.' };
  return new RemoteDocument(async () => parseKeySet(await fetch()), texts, options);
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
