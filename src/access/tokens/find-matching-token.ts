import { timingSafeEqual } from 'node:crypto';
import type { KnownToken } from './token-file.js';
import { hashToken } from './token-hash.js';

type Equal = (a: Uint8Array, b: Uint8Array) => boolean;

/** Compares every token in constant time, so that timing reveals nothing about the known ones. */
export function findMatchingToken(
  tokens: readonly KnownToken[],
  bearer: string,
  equal: Equal = timingSafeEqual,
): KnownToken | undefined {
  const sent = hashToken(bearer);
  let found: KnownToken | undefined;
  for (const token of tokens) {
    if (equal(sent, token.hash)) found = token;
  }
  return found;
}
