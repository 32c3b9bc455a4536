import { describe, expect, test } from 'vitest';
import { languageLimits } from '../model/limits.js';
import { checkSourceLimits } from './check-source-limits.js';

const { depth, sourceLength } = languageLimits;

describe('a text does not reach the parser', () => {
  test.each([
    ['it is too long', 'x'.repeat(sourceLength + 1), 'too_long', 0],
    ['it has a NUL', 'ab\0', 'not_text', 2],
    ['it has half of a surrogate pair', 'a\uDC00', 'not_text', 1],
    ['it has half of a surrogate pair before a whole one', 'a\uD800\u{1F600}', 'not_text', 1],
    ['brackets are nested too deeply', '('.repeat(depth + 1), 'too_deep', depth],
    ['brackets of several kinds are nested too deeply', '([{'.repeat(depth), 'too_deep', depth],
    ['brackets are nested too deeply after a string', `"((" ${'['.repeat(depth + 1)}`, 'too_deep', depth + 5],
  ])('if %s', (_, text, code, at) => {
    expect(checkSourceLimits(text)).toMatchObject({ code, at });
  });
});

describe('a text is let through', () => {
  test.each([
    ['as long as allowed', 'x'.repeat(sourceLength)],
    ['as deep as allowed', '['.repeat(depth) + ']'.repeat(depth)],
    ['many brackets beside one another', '()'.repeat(10_000)],
    ['brackets in a string', `"${'('.repeat(1000)}"`],
    ['brackets behind an escaped quote', `"\\"${'('.repeat(1000)}"`],
    ['brackets in a comment', `// ${'('.repeat(1000)}`],
    ['brackets in a comment of several lines', `/* ${'(\n'.repeat(1000)} */`],
    ['closing brackets alone', ')'.repeat(1000)],
    ['a string that is not closed', `"${'('.repeat(1000)}`],
    ['whole surrogate pairs', '\u{1F600}\u{1F600}'],
  ])('%s', (_, text) => {
    expect(checkSourceLimits(text)).toBeUndefined();
  });
});
