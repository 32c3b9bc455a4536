import { describe, expect, test } from 'vitest';
import { freshSeed, randomFrom } from '../../bench/lib/random.js';
import { TrellisError } from '../../src/model/error.js';
import { times } from '../helpers/full.js';
import { languages } from './languages.js';
import { mutated } from './mutate.js';
import { withoutPlaces } from './without-places.js';

// A run is repeated with the seed that its failure names: TRELLIS_TEST_SEED=… npx vitest run test/language
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
/** Set by `npm run fuzz -- --runs N`. */
const runs = Number(process.env['TRELLIS_TEST_FUZZ'] ?? times(500, 2_000));

/** Set by `npm run fuzz -- --grammar NAME`. */
const only = process.env['TRELLIS_TEST_GRAMMAR'] ?? '';
const fuzzed = languages.filter(({ name }) => only === '' || name === only);

describe.each(fuzzed)(`the language $name, seed ${seed}`, (language) => {
  test.each(language.texts)('takes what others are made of: %j', (text) => {
    expect(withoutPlaces(language.parse(language.print(text)))).toEqual(withoutPlaces(language.parse(text)));
  });

  test(
    `of ${runs} mutated texts each is taken or refused with a place, and printing what is taken changes nothing`,
    () => {
      const random = randomFrom(seed);
      let taken = 0;
      for (let run = 0; run < runs; run += 1) {
        const text = mutated(language, random);
        const refusal = refusalOf(() => language.parse(text));
        if (refusal === undefined) {
          taken += 1;
          const again = language.parse(language.print(text));
          expect(withoutPlaces(again), text).toEqual(withoutPlaces(language.parse(text)));
          expectPlaced(
            refusalOf(() => language.check(text)),
            language.code,
            text,
          );
        } else expectPlaced(refusal, language.code, text);
      }
      // Mutations that break everything would show nothing of the rest.
      expect(taken).toBeGreaterThan(runs / 50);
    },
    60_000 + 20 * runs,
  );
});

function refusalOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

/** That a refusal, if there is one, is ours and says where. */
function expectPlaced(refusal: unknown, code: string, text: string): void {
  if (refusal === undefined) return;
  expect(refusal, text).toBeInstanceOf(TrellisError);
  expect(refusal, text).toMatchObject({
    code,
    details: { problems: expect.arrayContaining([expect.objectContaining({ line: expect.any(Number) })]) },
  });
}
