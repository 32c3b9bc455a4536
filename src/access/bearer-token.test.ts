import { describe, expect, test } from 'vitest';
import { accessLimits } from '../model/limits.js';
import { authenticationFailureOf } from './authenticator.js';
import { bearerToken } from './bearer-token.js';
import { challenge, protectedResource, resourceMetadataUrl } from './challenge.js';

function refusedFor(header: string | undefined, url = 'http://h/mcp'): string | undefined {
  const headers = new Headers(header === undefined ? {} : { authorization: header });
  try {
    bearerToken({ headers, url });
  } catch (error) {
    return authenticationFailureOf(error)?.message;
  }
  return undefined;
}

describe('the token of a request', () => {
  test('is what follows Bearer, in any case', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = new Headers({ authorization: `${scheme} abc-._~+/09==` });
      expect(bearerToken({ headers, url: 'http://h/mcp' })).toBe('abc-._~+/09==');
    }
  });

  test.each([
    ['no header', undefined, 'no Authorization header'],
    ['an empty header', '', 'not Bearer'],
    ['another scheme', 'Basic YTpi', 'not Bearer'],
    ['a scheme alone', 'Bearer', 'an empty token'],
    ['a token alone', 'abc', 'not Bearer'],
    ['two tokens', 'Bearer a b', 'more than one token'],
    ['two headers, as they arrive', 'Bearer a, Bearer b', 'more than one token'],
    ['two headers without a space', 'Bearer a,b', 'more than one token'],
    ['quotes', 'Bearer "a"', 'characters that no token has'],
    ['a letter beyond ASCII', 'Bearer \u00e4', 'characters that no token has'],
    ['a huge token', `Bearer ${'a'.repeat(accessLimits.tokenLength + 1)}`, 'too long'],
  ])('%s is refused', (_, header, reason) => {
    expect(refusedFor(header)).toContain(reason);
  });

  test.each(['access_token=a', 'token=a', 'x=1&Access_Token=', 'TOKEN', '%74oken=a', 'a=b&access_token=x'])(
    'is refused in an address, also beside a header: ?%s',
    (query) => {
      expect(refusedFor('Bearer good', `http://h/mcp?${query}`)).toContain('in the address');
      expect(refusedFor('Bearer good', `/mcp?${query}`)).toContain('in the address');
    },
  );

  test('is refused with an address that cannot be read', () => {
    expect(refusedFor('Bearer good', '//?token=a')).toBe('an address that cannot be read');
  });

  test('other parameters are nobody else\u2019s business', () => {
    expect(refusedFor('Bearer good', 'http://h/mcp?branch=b&tokens=2')).toBeUndefined();
  });
});

describe('a 401', () => {
  const metadata = resourceMetadataUrl(new URL('https://memory.example.com/graphs/work/mcp'));
  const thrown = (header?: string) => {
    try {
      bearerToken({
        headers: new Headers(header === undefined ? {} : { authorization: header }),
        url: 'http://h/',
      });
    } catch (error) {
      return error;
    }
    throw new Error('It was let in.');
  };

  test('says where to learn how to get a token', () => {
    expect(challenge(thrown(), metadata)).toBe(
      'Bearer resource_metadata="https://memory.example.com/.well-known/oauth-protected-resource/graphs/work/mcp"',
    );
    expect(challenge(thrown())).toBe('Bearer');
  });

  test('says that a token was refused, and not why', () => {
    expect(challenge(thrown('Basic x'), metadata)).toBe(
      'Bearer error="invalid_token", resource_metadata="https://memory.example.com/.well-known/oauth-protected-resource/graphs/work/mcp"',
    );
    expect(thrown('Bearer a b')).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'The request carries no valid token.',
      details: undefined,
    });
  });

  test('no address breaks out of the header', () => {
    const odd = resourceMetadataUrl(new URL('https://h/a"b\\c/%22?q="'));
    expect(challenge(thrown(), odd)).toMatch(/^Bearer resource_metadata="[^"\\]*"$/);
  });

  test('what the metadata say', () => {
    expect(protectedResource(new URL('https://h/mcp'), ['https://issuer'])).toEqual({
      resource: 'https://h/mcp',
      resource_name: 'Trellis',
      authorization_servers: ['https://issuer'],
      bearer_methods_supported: ['header'],
    });
    expect(protectedResource(new URL('https://h/'), [])).toEqual({
      resource: 'https://h',
      resource_name: 'Trellis',
      bearer_methods_supported: ['header'],
    });
  });
});
