import { timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readTextFile } from '../../file/read-text-file.js';
import { WatchedFile, type WatchedFileOptions } from '../../file/watched-file.js';
import { type Clock, systemClock } from '../../model/clock.js';
import { TrellisError } from '../../model/error.js';
import type { Actor } from '../actor.js';
import { type Authenticator, unauthenticated } from '../authenticator.js';
import { type KnownToken, parseTokens } from './token-file.js';
import { hashToken } from './token-hash.js';

/** The environment variable holds what the file would. */
export type TokenSource = { readonly file: string } | { readonly env: string };

export interface TokenOptions extends WatchedFileOptions {
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A changed file takes effect within a second. */
export async function tokenAuthenticator(source: TokenSource, options: TokenOptions): Promise<Authenticator> {
  const known = await openTokens(source, options);
  const clock = options.clock ?? systemClock;
  return {
    async authenticate(bearer) {
      const token = findMatchingToken(await known(), bearer);
      if (token === undefined) throw unauthenticated('an unknown token');
      if (token.expires !== undefined && token.expires <= clock())
        throw unauthenticated(`the token ${token.id} of ${token.actor} has expired`);
      return actorFromToken(token);
    },
  };
}

export async function readTokens(
  source: TokenSource,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<readonly KnownToken[]> {
  return 'env' in source
    ? parseTokens(fromEnvironment(source.env, env), source.env)
    : parseTokens(await readTextFile(source.file), source.file);
}

async function openTokens(
  source: TokenSource,
  options: TokenOptions,
): Promise<() => Promise<readonly KnownToken[]>> {
  const read = (text: string, path: string) => warnOfGuessable(parseTokens(text, path), options.warn);
  if ('env' in source) {
    const tokens = read(fromEnvironment(source.env, options.env ?? process.env), source.env);
    return async () => tokens;
  }
  const file = await WatchedFile.open(source.file, read, options);
  await warnIfExposed(source.file, options.warn);
  return () => file.current();
}

function fromEnvironment(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const text = env[name];
  if (text !== undefined && text !== '') return text;
  throw new TrellisError('TOKENS_INVALID', `The environment variable ${name} is not set.`, {
    hint: 'Put into it what a file of tokens would hold, for example {"ann":"sha256:…"}.',
  });
}

function warnOfGuessable(
  tokens: readonly KnownToken[],
  warn: (message: string) => void,
): readonly KnownToken[] {
  for (const { actor, guessable } of tokens) {
    if (guessable) warn(`The token of ${actor} could be guessed; make another with trellis token create.`);
  }
  return tokens;
}

async function warnIfExposed(path: string, warn: (message: string) => void): Promise<void> {
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    warn(`Others on this machine can reach ${path}. Run: chmod 600 ${path}`);
}

export function actorFromToken({ actor, groups, tenant, scopes }: KnownToken): Actor {
  return { id: actor, groups, ...(tenant === undefined ? {} : { tenant }), scopes, source: 'token' };
}

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
