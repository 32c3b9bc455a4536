import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requiredSubstrings } from './required-substrings.js';
import { textMatcher } from './text-matcher.js';

const letters = 'abAB1';

/** A word, and the same with some letters put in, taken out or replaced. */
const almostSame = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 14 }),
    fc.array(
      fc.tuple(fc.nat(14), fc.constantFrom('put in', 'taken out', 'replaced'), fc.constantFrom(...'abc')),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([word, edits]) => {
    let other = word;
    for (const [at, edit, letter] of edits) {
      const rest = other.slice(edit === 'put in' ? at : at + 1);
      other = `${other.slice(0, at)}${edit === 'taken out' ? '' : letter}${rest}`;
    }
    return [word, other] as const;
  });

test('every text in ASCII that passes a test has a run of each list', () => {
  let passed = 0;
  fc.assert(
    fc.property(
      fc.array(almostSame, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('search', 'match_text', 'fuzzy'),
      fc.constantFrom(null, 0, 1, 2, 3),
      fc.constantFrom(' ', '-', '\n'),
      (pairs, kind, edits, between) => {
        const condition = { kind, text: pairs.map(([word]) => word).join(' '), edits };
        const text = pairs.map(([, other]) => other).join(between);
        if (!textMatcher(condition)(text)) return;
        passed += 1;
        for (const runs of requiredSubstrings(condition))
          expect(runs.some((run) => text.toLowerCase().includes(run))).toBe(true);
      },
    ),
    { numRuns: 5_000 },
  );
  expect(passed).toBeGreaterThan(100);
});

test('a word is cut into one more part than may differ; what is short, or beyond ASCII, rules nothing out', () => {
  const needed = (text: string, edits: number | null = null) =>
    requiredSubstrings({ kind: 'fuzzy', text, edits });
  expect(needed('Lentils')).toEqual([['le', 'nt', 'ils']]);
  expect(needed('cake', 0)).toEqual([['cake']]);
  expect(needed('tea')).toEqual([]);
  expect(needed('crème')).toEqual([]);
  expect(needed('tea, lentils and crème')).toEqual([['le', 'nt', 'ils']]);
  expect(requiredSubstrings({ kind: 'search', text: 'a cake for tea', edits: null })).toEqual([
    ['cake'],
    ['for'],
    ['tea'],
  ]);
});
