import { describe, expect, test } from 'vitest';
import { checkGraphOrBranchName } from './graph-or-branch-name.js';

const check = (name: string) => checkGraphOrBranchName(name, 'The name of a graph');

describe('the name of a graph or a branch', () => {
  test.each([
    'work',
    'review/ann',
    'a b',
    '...',
    'a..b',
    '__proto__',
    'größe',
    '日本',
    '%2F',
    'a?b#c',
    '👩‍🍳',
    '-',
  ])('%j is one', (name) => {
    expect(check(name)).toBe(name);
  });

  test.each([
    ['', 'must not be empty'],
    ['.', 'contains "." or ".." as a path segment'],
    ['..', 'contains "." or ".." as a path segment'],
    ['a/../b', 'contains "." or ".." as a path segment'],
    ['a/.', 'contains "." or ".." as a path segment'],
    [' ', 'must not be blank'],
    ['a ', 'begins or ends with white space'],
    ['\u00a0a', 'begins or ends with white space'],
    ['a\nb', 'contains a control character or a line break'],
    ['\u001b[31mred', 'contains a control character or a line break'],
    ['a\u0085b', 'contains a control character or a line break'],
    ['a\u2028b', 'contains a control character or a line break'],
    ['a\0', 'contains a NUL character'],
    ['\ud800', 'contains half of a surrogate pair'],
    ['x'.repeat(4097), 'has 4097 characters; at most 4096 are allowed'],
  ])('%j is none: it %s', (name, problem) => {
    expect(() => check(name)).toThrow(`The name of a graph ${problem}`);
  });
});
