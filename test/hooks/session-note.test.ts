import { describe, expect, test } from 'vitest';
import { dropSecrets } from '../../src/hooks/drop-secrets.js';
import { parseHookInput } from '../../src/hooks/hook-input.js';
import { noteLimits, sessionNote } from '../../src/hooks/session-note.js';
import { claudeCode, codex, cursor, geminiCli } from './transcripts.js';

describe('a transcript becomes observations', () => {
  test('of Claude Code, without what is secret or not the user’s', () => {
    expect(sessionNote(claudeCode, '/src/shop')).toEqual([
      'Changed the file cart.ts',
      'Made the commit 1a2b3c4 Add a cart',
      'The user said: Let us add a cart. My key is [removed]',
      'The user said: Thanks, use euros.',
    ]);
  });

  test('of Codex', () => {
    expect(sessionNote(codex, '/src/shop')).toEqual([
      'Changed the file cart.ts',
      'Made the commit 1a2b3c4 Add a cart',
      'The user said: Let us add a cart.',
    ]);
  });

  test.each([
    ['Cursor', cursor],
    ['Gemini CLI', geminiCli],
  ])('of %s', (_, transcript) => {
    expect(sessionNote(transcript, '/src/shop')).toEqual([
      'Changed the file cart.ts',
      'The user said: Let us add a cart.',
    ]);
  });

  test('lines that are no JSON are skipped', () => {
    expect(sessionNote(`{"type":"us\nnull\n[1]\n{}\n${claudeCode}`, '/src/shop')).toHaveLength(4);
    expect(sessionNote('', '/')).toEqual([]);
  });

  test('a summary that the client wrote in the user’s place is not theirs', () => {
    const summary = {
      type: 'user',
      isCompactSummary: true,
      message: { role: 'user', content: 'This session is being continued from a previous conversation.' },
    };
    expect(sessionNote(`${JSON.stringify(summary)}\n${claudeCode}`, '/src/shop')).toHaveLength(4);
  });

  test('a long session is bounded, and keeps its beginning', () => {
    const said = (text: string) =>
      `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;
    const many = Array.from({ length: 100 }, (_, index) => said(`${index} ${'long '.repeat(200)}`)).join('');
    const texts = sessionNote(many, '/');
    expect(texts).toHaveLength(noteLimits.sayings);
    expect(texts[0]).toMatch(/^The user said: 0 /);
    expect(texts.at(-1)).toMatch(/^The user said: 99 /);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(noteLimits.sayingLength);
  });
});

describe('what looks like a key is dropped', () => {
  test.each([
    `sk-${'a1b2'.repeat(6)}`,
    `ghp_${'a1b2'.repeat(9)}`,
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc',
    'password: hunter2x',
    'API_KEY=abcd1234',
    'the password is hunter2x',
    'postgres://ann:hunter2@db.example',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
    'Zm9vYmFyYmF6MTIzNDU2Nzg5MGFiY2RlZkdISUo',
  ])('%s', (secret) => {
    const left = dropSecrets(`before ${secret} after`);
    expect(left).toContain('[removed]');
    expect(left).not.toMatch(/hunter2|MIIE|AKIA|eyJ|abcd1234|Zm9v|ghp_|sk-/);
    expect(left).toMatch(/^before .*after$/s);
  });

  test.each([
    'use euros, not dollars, in src/cart/total-price.test.ts',
    'revert 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b',
    'the token budget is what we discussed',
  ])('but not: %s', (text) => {
    expect(dropSecrets(text)).toBe(text);
  });

  test.each([
    'a',
    'a.',
    'a-',
    'aB/',
    'eyJ-',
    'a://b',
    'a://b:',
    'token ',
    'password',
    '-----BEGIN ',
    ' ',
    '0',
  ])('in a text of 500,000 times %j', (part) => {
    expect(dropSecrets(`${part.repeat(500_000)} password: hunter2x`)).not.toContain('hunter2x');
  });
});

test('what clients send on standard input', () => {
  const claude = {
    session_id: 's',
    transcript_path: '/t',
    cwd: '/c',
    hook_event_name: 'SessionEnd',
    reason: 'x',
  };
  expect(parseHookInput(JSON.stringify(claude))).toEqual({ session: 's', transcript: '/t', folder: '/c' });
  const cursorInput = {
    conversation_id: 's',
    transcript_path: null,
    workspace_roots: ['/c'],
    cursor_version: '1',
  };
  expect(parseHookInput(JSON.stringify(cursorInput))).toEqual({ session: 's', folder: '/c' });
  expect(parseHookInput('[]')).toEqual({});
});
