import { createLocalJWKSet, type LocalJWKSet } from 'jose';

export function parseKeySet(document: unknown): LocalJWKSet {
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
