import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stems, words } from './words.js';

/** What a word is, said plainly: a run of letters, digits and marks, of which the first 64 count. */
function cutSlowly(text: string): string[] {
  const found: string[] = [];
  let run = '';
  for (const character of `${text.normalize('NFKC').toLowerCase()} `) {
    if (/[\p{L}\p{N}\p{M}]/u.test(character)) {
      run += character;
      continue;
    }
    if (run !== '') found.push(run.slice(0, 64).toWellFormed());
    run = '';
  }
  return found;
}

const spaced = fc.string({ unit: fc.constantFrom(...'aZ09_-.?!\'" \n\0éßİΣ’—½ﬁ🧠'), maxLength: 200 });
const plain = fc.string({ unit: 'binary-ascii', maxLength: 300 });

test('words are runs of letters and digits, lower-cased, in plain ASCII and beyond', () => {
  fc.assert(
    fc.property(fc.oneof(spaced, plain), (text) => {
      expect(words(text)).toEqual(cutSlowly(text));
    }),
  );
});

test('a text without spaces between its words is cut into pairs, and the rest of it is not', () => {
  expect(words('I like 日本語 a lot')).toEqual(['i', 'like', '日本', '本語', 'a', 'lot']);
});

test('of a long run of letters only the beginning counts', () => {
  expect(words(`${'x'.repeat(100)} y`)).toEqual(['x'.repeat(64), 'y']);
  expect(words(`${'é'.repeat(100)} y`)).toEqual(['é'.repeat(64), 'y']);
});

test('words that nobody stems stay as they are, whatever they are called', () => {
  expect(stems('Running constructor __proto__ 42nd naïve')).toEqual([
    'run',
    'constructor',
    'proto',
    '42nd',
    'naïve',
  ]);
});
