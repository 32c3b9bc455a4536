import { createHash, randomBytes } from 'node:crypto';

/** Lets a secret scanner, and a person, see what it is. */
const prefix = 'trellis_';
const randomLength = 32;

/** Digits of the hash that name a token where it must not be shown. */
const idLength = 8;

/** A token that nobody can guess. */
export function newToken(): string {
  return `${prefix}${randomBytes(randomLength).toString('base64url')}`;
}

/** What is kept of a token: 256 random bits need no slower hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** The short name of a token. */
export function tokenId(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex').slice(0, idLength);
}
