import { timingSafeEqual } from 'node:crypto';
import { chmod, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { authenticationFailureOf, combineAuthenticators } from '../../src/access/authenticator.js';
import { createToken, listTokens, revokeTokens } from '../../src/access/tokens/edit-tokens.js';
import { findMatchingToken, tokenAuthenticator } from '../../src/access/tokens/token-authenticator.js';
import { parseTokens } from '../../src/access/tokens/token-file.js';
import { hashToken, newToken } from '../../src/access/tokens/token-hash.js';
import { collectWarnings, useFolder } from './scratch.js';

const path = useFolder();
const long = 'a-long-token-that-is-written-in-clear';
const hex = (token: string) => hashToken(token).toString('hex');

/** Looks at the file each time. */
const always = { everyMs: 0 };

describe('a file of tokens', () => {
  test('takes tokens in clear, hashes, objects and lists of them', async () => {
    const [one, two, three] = [newToken(), newToken(), newToken()];
    await writeFile(
      path('tokens.json'),
      JSON.stringify({
        plain: long,
        hashed: `sha256:${hex(one)}`,
        full: {
          hash: `sha256:${hex(two).toUpperCase()}`,
          groups: ['a', 'b'],
          tenant: 'acme',
          expires: '2999-01-01',
        },
        many: [`sha256:${hex(three)}`, { hash: 'another-token-in-clear-text' }],
      }),
      { mode: 0o600 },
    );
    const { warn, said } = collectWarnings();
    const tokens = await tokenAuthenticator({ file: path('tokens.json') }, { warn });
    expect(await tokens.authenticate(long)).toEqual({ id: 'plain', groups: [], scopes: [], source: 'token' });
    expect((await tokens.authenticate(one)).id).toBe('hashed');
    expect(await tokens.authenticate(two)).toEqual({
      id: 'full',
      groups: ['a', 'b'],
      tenant: 'acme',
      scopes: [],
      source: 'token',
    });
    expect((await tokens.authenticate(three)).id).toBe('many');
    expect((await tokens.authenticate('another-token-in-clear-text')).id).toBe('many');
    expect(said).toEqual([]);
  });

  test('lets nobody in with a hash, an unknown token, or nothing', async () => {
    const token = newToken();
    await writeFile(path('t'), JSON.stringify({ ann: `sha256:${hex(token)}` }), { mode: 0o600 });
    const tokens = await tokenAuthenticator({ file: path('t') }, collectWarnings());
    for (const wrong of [hex(token), `sha256:${hex(token)}`, newToken(), '', `${token}x`, token.slice(1)])
      await expect(tokens.authenticate(wrong)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('a token ends when it expires', async () => {
    const token = newToken();
    const expires = '2030-06-01T12:00:00Z';
    await writeFile(path('t'), JSON.stringify({ ann: { hash: `sha256:${hex(token)}`, expires } }));
    let now = Date.parse(expires) - 1;
    const tokens = await tokenAuthenticator({ file: path('t') }, { ...collectWarnings(), clock: () => now });
    expect((await tokens.authenticate(token)).id).toBe('ann');
    now += 1;
    const failed = await tokens.authenticate(token).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'UNAUTHENTICATED', message: 'The request carries no valid token.' });
    expect(authenticationFailureOf(failed)?.message).toMatch(/of ann has expired/);
  });

  test('can be an environment variable', async () => {
    const env = { TOKENS: `{"ann":"${long}"}` };
    const tokens = await tokenAuthenticator({ env: 'TOKENS' }, { ...collectWarnings(), env });
    expect((await tokens.authenticate(long)).id).toBe('ann');
    await expect(tokenAuthenticator({ env: 'NONE' }, { ...collectWarnings(), env })).rejects.toMatchObject({
      code: 'TOKENS_INVALID',
      message: 'The environment variable NONE is not set.',
    });
  });

  test('warns of tokens that can be guessed and of files that others can read', async () => {
    await writeFile(path('t'), '{"ann":"secret"}', { mode: 0o644 });
    const { warn, said } = collectWarnings();
    await tokenAuthenticator({ file: path('t') }, { warn });
    expect(said).toEqual([
      'The token of ann could be guessed; make another with trellis token create.',
      `Others on this machine can reach ${path('t')}. Run: chmod 600 ${path('t')}`,
    ]);
  });

  test.each([
    ['no map', '[]', 't:1: the file of tokens must be a map'],
    ['no JSON', '{', 't:'],
    ['an actor twice', '{"ann":"aaaaaaaa",\n"ann":"bbbbbbbb"}', 't:2: Map keys must be unique'],
    ['a short hash', '{"ann":"sha256:00"}', 'neither sha256:'],
    ['a space in a token', '{"ann":"a b"}', 'neither sha256:'],
    [
      'an unknown key',
      '{"ann":\n{"hsh":"x"}}',
      't:2: the token of ann has no key "hsh". Did you mean "hash"?',
    ],
    ['no hash', '{"ann":{"groups":[]}}', 'has no "hash"'],
    ['an empty actor', '{"":"aaaaaaaa"}', 'the actor "" is empty'],
    ['a control character in an actor', '{"a\\nb":"aaaaaaaa"}', 'contains a control character'],
    ['a NUL in an actor', '{"a\\u0000b":"aaaaaaaa"}', 'contains a control character'],
    ['a time that is none', '{"ann":{"hash":"aaaaaaaa","expires":"soon"}}', 'not a date like'],
    ['a number for a time', '{"ann":{"hash":"aaaaaaaa","expires":5}}', 'must be a string'],
    ['a token of two', '{"ann":"aaaaaaaa","bob":"aaaaaaaa"}', 'ann and bob have the same token'],
    ['a number', '{"ann":5}', 'the token of ann must be a string'],
    ['null', '{"ann":null}', 'the token of ann must be a string'],
    [
      'a control character in a group',
      '{"ann":{"hash":"aaaaaaaa","groups":["readers","a\\nb"]}}',
      'a group of ann contains a control character',
    ],
    ['an empty group', '{"ann":{"hash":"aaaaaaaa","groups":[""]}}', 'a group of ann is empty'],
    ['groups in a word', '{"ann":{"hash":"aaaaaaaa","groups":"a"}}', 'must be a list'],
  ])('with %s is refused, without showing a token', (_, text, message) => {
    const refused = () => parseTokens(text, 't');
    expect(refused).toThrow(message);
    expect(refused).not.toThrow(/aaaaaaaa|bbbbbbbb/);
  });

  test('__proto__ is an actor like any other', () => {
    expect(parseTokens(`{"__proto__":"${long}"}`, 't').map(({ actor }) => actor)).toEqual(['__proto__']);
  });
});

test('a token is compared with every known one, in constant time, whichever it is', () => {
  const secrets = Array.from({ length: 20 }, newToken);
  const known = parseTokens(
    JSON.stringify(Object.fromEntries(secrets.map((token, i) => [`a${i}`, token]))),
    't',
  );
  const comparisons = (bearer: string) => {
    let count = 0;
    const found = findMatchingToken(known, bearer, (a, b) => {
      count += 1;
      return timingSafeEqual(a, b);
    });
    return [found?.actor, count];
  };
  expect(comparisons(secrets[0] ?? '')).toEqual(['a0', 20]);
  expect(comparisons(secrets[19] ?? '')).toEqual(['a19', 20]);
  expect(comparisons('unknown')).toEqual([undefined, 20]);
});

test('new tokens are long, recognisable and never the same', () => {
  const made = new Set(Array.from({ length: 1_000 }, newToken));
  expect(made.size).toBe(1_000);
  for (const token of made) expect(token).toMatch(/^trellis_[A-Za-z0-9_-]{43}$/);
});

describe('a file that changes', () => {
  const now = () => Date.now();

  test('is in force without a restart: new tokens, and those taken away', async () => {
    const { token: first } = await createToken(path('t'), { actor: 'ann', groups: [] }, now());
    const { warn, said } = collectWarnings();
    const tokens = await tokenAuthenticator({ file: path('t') }, { warn, ...always });
    const { token: second } = await createToken(path('t'), { actor: 'bob', groups: ['g'] }, now());
    expect(await tokens.authenticate(second)).toMatchObject({ id: 'bob', groups: ['g'] });
    expect((await tokens.authenticate(first)).id).toBe('ann');
    await revokeTokens(path('t'), { actor: 'ann' });
    await expect(tokens.authenticate(first)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await tokens.authenticate(second)).id).toBe('bob');
    expect(said).toEqual([]);
  });

  test('is looked at again only after a while', async () => {
    const { token } = await createToken(path('t'), { actor: 'ann', groups: [] }, now());
    let time = 0;
    const tokens = await tokenAuthenticator({ file: path('t') }, { ...collectWarnings(), now: () => time });
    await writeFile(path('t'), '{}');
    time = 999;
    expect((await tokens.authenticate(token)).id).toBe('ann');
    time = 1_000;
    await expect(tokens.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test.each([
    ['broken', (file: string) => writeFile(file, '{"ann":')],
    ['gone', (file: string) => rm(file)],
    ['huge', (file: string) => writeFile(file, ' '.repeat(2_000_000))],
    ['no text', (file: string) => writeFile(file, Buffer.from([0xff, 0xfe, 0x80]))],
  ])('and is then %s leaves the last good one in force, and warns once', async (_, spoil) => {
    const { token } = await createToken(path('t'), { actor: 'ann', groups: [] }, now());
    const { warn, said } = collectWarnings();
    const tokens = await tokenAuthenticator({ file: path('t') }, { warn, ...always });
    const good = await readFile(path('t'));
    await spoil(path('t'));
    for (let i = 0; i < 5; i += 1) expect((await tokens.authenticate(token)).id).toBe('ann');
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('the previous version stays in force');
    await writeFile(path('next'), good);
    await rename(path('next'), path('t'));
    await revokeTokens(path('t'), { actor: 'ann' });
    await expect(tokens.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('editing the file', () => {
  const time = Date.parse('2026-01-02T03:04:05Z');

  test('keeps the hash alone, and is for its owner alone', async () => {
    const { token, id } = await createToken(
      path('t'),
      { actor: 'ann', groups: ['team'], tenant: 'acme', expires: time + 86_400_000 },
      time,
    );
    const text = await readFile(path('t'), 'utf8');
    expect(text).not.toContain(token);
    expect(JSON.parse(text)).toEqual({
      ann: {
        hash: `sha256:${hex(token)}`,
        groups: ['team'],
        tenant: 'acme',
        created: '2026-01-02T03:04:05.000Z',
        expires: '2026-01-03T03:04:05.000Z',
      },
    });
    expect(hex(token).startsWith(id)).toBe(true);
    expect((await stat(path('t'))).mode & 0o777).toBe(0o600);
  });

  test('leaves other entries, the mode of the file and a link to it as they are', async () => {
    await writeFile(path('real'), JSON.stringify({ old: long, __proto__x: 'kept-as-it-was' }));
    await chmod(path('real'), 0o640);
    await symlink(path('real'), path('t'));
    await createToken(path('t'), { actor: 'old', groups: [] }, time);
    const written = JSON.parse(await readFile(path('real'), 'utf8'));
    expect(written).toMatchObject({
      old: [long, { created: '2026-01-02T03:04:05.000Z' }],
      __proto__x: 'kept-as-it-was',
    });
    expect((await stat(path('real'))).mode & 0o777).toBe(0o640);
  });

  test('two at once lose nothing', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, i) => createToken(path('t'), { actor: `a${i % 3}`, groups: [] }, time)),
    );
    const listed = await listTokens(path('t'));
    expect(listed.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  test('one token can be taken away by its id, the others of its actor stay', async () => {
    const first = await createToken(path('t'), { actor: 'ann', groups: [] }, time);
    const second = await createToken(path('t'), { actor: 'ann', groups: [] }, time);
    expect(await revokeTokens(path('t'), { id: first.id })).toMatchObject([{ id: first.id, actor: 'ann' }]);
    expect(await listTokens(path('t'))).toMatchObject([{ id: second.id, actor: 'ann' }]);
  });

  test('revoking what is not there is an error, and changes nothing', async () => {
    await createToken(path('t'), { actor: 'ann', groups: [] }, time);
    const before = await readFile(path('t'), 'utf8');
    await expect(revokeTokens(path('t'), { actor: 'bob' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(revokeTokens(path('t'), { id: '00000000' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readFile(path('t'), 'utf8')).toBe(before);
  });

  test('a broken file is not replaced', async () => {
    await writeFile(path('t'), '{"ann":');
    await expect(createToken(path('t'), { actor: 'bob', groups: [] }, time)).rejects.toMatchObject({
      code: 'TOKENS_INVALID',
    });
    expect(await readFile(path('t'), 'utf8')).toBe('{"ann":');
  });
});

test('of several sources the first that knows a token decides, and the log hears of all', async () => {
  const env = { A: '{"ann":"aaaaaaaaaaaaaaaaaaaaaaaaa"}', B: '{"bob":"bbbbbbbbbbbbbbbbbbbbbbbbb"}' };
  const both = combineAuthenticators([
    await tokenAuthenticator({ env: 'A' }, { ...collectWarnings(), env }),
    await tokenAuthenticator({ env: 'B' }, { ...collectWarnings(), env }),
  ]);
  expect((await both.authenticate('b'.repeat(25))).id).toBe('bob');
  const failed = await both.authenticate('c').catch((error: unknown) => error);
  expect(authenticationFailureOf(failed)?.message).toBe('an unknown token; an unknown token');
});
