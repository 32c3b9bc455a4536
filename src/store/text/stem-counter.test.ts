import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StemCounter } from './stem-counter.js';
import { stems } from './words.js';

function expectedCounts(wanted: readonly string[], text: string) {
  const found = stems(text);
  const lead = wanted.indexOf(found[0] ?? '');
  return {
    times: wanted.map((stem) => found.filter((other) => other === stem).length),
    length: found.length,
    lead: lead < 0 ? undefined : lead,
  };
}

/** Beginnings and endings that the stemmer treats in special ways. */
const parts = fc.constantFrom(
  ...'a b e i s t u y ay ey sky bb ll zz eat abl iz sses ies ied eed ed ing s y e ly eli ational ization'.split(
    ' ',
  ),
  ...'ness ful ment ion er able ous'.split(' '),
);
const word = fc
  .array(fc.oneof(parts, fc.stringMatching(/^[a-zA-Z0-9]{1,4}$/)), { minLength: 1, maxLength: 5 })
  .map((made) => made.join(''));
const separator = fc.constantFrom(' ', ', ', '-', "'", '\n', '_', '?');
const text = fc
  .array(fc.tuple(word, separator), { maxLength: 12 })
  .map((made) => made.map((pair) => pair.join('')).join(''));

describe('counting stems', () => {
  test('is the same as comparing all stems of a text', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), fc.nat(3), (said, others, from) => {
        // Some of the stems occur in the text, others do not.
        const wanted = [...new Set(stems([said, ...others].join(' ')).slice(from))];
        expect(new StemCounter(wanted).count(said)).toEqual(expectedCounts(wanted, said));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['eyed', 'Ann eyed the eyes', 'letters that stemming changes'],
    ['eing e', 'E eing aed', 'words of which one letter is left'],
    ['naïve café', 'A naïve plan. Café!', 'texts beyond ASCII'],
    ['日本', '日本語', 'scripts without spaces'],
    [`${'x'.repeat(64)}`, 'x'.repeat(200), 'words that are cut'],
  ])('of %j in %j: %3$s', (query, said) => {
    const wanted = [...new Set(stems(query))];
    expect(new StemCounter(wanted).count(said)).toEqual(expectedCounts(wanted, said));
  });
});
