import { createHash, randomBytes } from 'node:crypto';

/** Lets secret scanners and people recognise it. */
const prefix = 'trellis_';
const randomLength = 32;

const idLength = 8;

export function newToken(): string {
  return `${prefix}${randomBytes(randomLength).toString('base64url')}`;
}

/** 256 random bits need no slower hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

export function tokenId(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex').slice(0, idLength);
}
