import { createLocalJWKSet, type LocalJWKSet } from 'jose';

/** Makes a key set of what a provider or a file gave; only public keys for signatures are of use in it. */
export function parseKeySet(document: unknown): LocalJWKSet {
  if (!isKeySet(document)) throw new Error('not a JSON Web Key Set: it needs a list "keys" of objects');
  // A secret among the keys must not become one that tokens are checked with.
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
