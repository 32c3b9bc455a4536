import { accessLimits } from '../model/limits.js';
import { unauthenticated } from './authenticator.js';

export interface Credentials {
  readonly headers: Headers;
  readonly url: string;
}

/** Tokens in URLs get into logs and histories. */
const tokenParameters: readonly string[] = ['access_token', 'token'];

const base = 'http://localhost';

/** RFC 6750. */
const tokenCharacters = /^[A-Za-z0-9\-._~+/]+=*$/;

export function isBearerToken(text: string): boolean {
  return text.length <= accessLimits.tokenLength && tokenCharacters.test(text);
}

/** Accepts exactly one `Authorization: Bearer` header, and no other place. */
export function bearerToken({ headers, url }: Credentials): string {
  const address = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (address === undefined) throw unauthenticated('an address that cannot be read');
  const parameters = [...address.searchParams.keys()];
  if (parameters.some((name) => tokenParameters.includes(name.toLowerCase())))
    throw unauthenticated('a token in the address of the request');
  const header = headers.get('authorization');
  if (header === null) throw unauthenticated('no Authorization header', { missing: true });
  // A second header arrives joined to the first with a comma, which no token contains.
  const [scheme, token, ...more] = header.split(' ').filter((word) => word !== '');
  if (scheme?.toLowerCase() !== 'bearer') throw unauthenticated('an Authorization header that is not Bearer');
  if (token === undefined) throw unauthenticated('an empty token');
  if (more.length > 0 || token.includes(',')) throw unauthenticated('more than one token');
  if (token.length > accessLimits.tokenLength) throw unauthenticated('a token that is too long');
  if (!isBearerToken(token)) throw unauthenticated('a token with characters that no token has');
  return token;
}
