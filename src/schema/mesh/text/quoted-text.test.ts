import { describe, expect, test } from 'vitest';
import { escapeInvisible, invisibleCharacterProblem } from './invisible-characters.js';
import { listChoices, quoteValue } from './quote-value.js';

describe('what a model must not be shown', () => {
  test.each([
    ['a NUL', 'a\0b', 'a control character (U+0000)'],
    ['an escape', 'a\u001b[2Jb', 'a control character (U+001B)'],
    ['a C1 control', 'a\u0085b', 'a control character (U+0085)'],
    ['a line feed', 'a\nb', 'a line break (U+000A)'],
    ['a line separator', 'a\u2028b', 'a line break (U+2028)'],
    ['a right-to-left override', 'a\u202eb', 'a character that changes the direction of text (U+202E)'],
    ['an isolate', 'a\u2066b', 'a character that changes the direction of text (U+2066)'],
    ['an Arabic letter mark', 'a\u061cb', 'a character that changes the direction of text (U+061C)'],
    ['a left-to-right mark', 'a\u200eb', 'a character that changes the direction of text (U+200E)'],
    ['a zero-width space', 'a\u200bb', 'an invisible character (U+200B)'],
    ['a zero-width joiner', 'a\u200db', 'an invisible character (U+200D)'],
    ['a word joiner', 'a\u2060b', 'an invisible character (U+2060)'],
    ['a byte order mark', 'a\ufeffb', 'an invisible character (U+FEFF)'],
    ['a soft hyphen', 'a\u00adb', 'an invisible character (U+00AD)'],
    ['a tag', 'a\u{e0041}b', 'an invisible character (U+E0041)'],
    ['a variation selector', 'a\u{e0100}b', 'an invisible character (U+E0100)'],
    ['a Hangul filler', 'a\u3164b', 'an invisible character (U+3164)'],
    ['half of a surrogate pair', 'a\ud800b', 'half of a surrogate pair'],
  ])('%s', (_, text, problem) => {
    expect(invisibleCharacterProblem(text)).toContain(problem);
    expect(invisibleCharacterProblem(escapeInvisible(text))).toBeUndefined();
  });

  test.each(['plain', 'Über 名前 🜁 العربية', ''])('%j may be shown', (text) => {
    expect(invisibleCharacterProblem(text)).toBeUndefined();
    expect(escapeInvisible(text)).toBe(text);
  });
});

test.each([
  ['text', '"text"'],
  ['a "quoted" text', '"a \\"quoted\\" text"'],
  ['\u202eevil', '"\\u{202E}evil"'],
  ['x'.repeat(100), `"${'x'.repeat(60)}…"`],
  [undefined, 'nothing'],
  [null, 'null'],
  [12, '12'],
  [true, 'true'],
  [[], 'an empty list'],
  [[1, 2], 'a list of 2'],
  [{ a: 1 }, 'an object'],
])('%j is quoted as %s', (value, text) => {
  expect(quoteValue(value)).toBe(text);
});

test('of many choices the first are listed', () => {
  expect(listChoices(['a', 'b'])).toBe('"a", "b"');
  expect(listChoices(['a', 'b', 'c'], 2)).toBe('"a", "b" and 1 more');
});
