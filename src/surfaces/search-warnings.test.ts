import { expect, test } from 'vitest';
import type { Redactor } from './call-context.js';
import { searchWarnings } from './search-warnings.js';

const redactor: Redactor = {
  redactError: (error) => error,
  redactText: ({ message }) => message,
};

test('texts that are not embedded yet: the warning says what that means where it is read', () => {
  const warningsOf = (...advice: ['people' | 'similar'] | []) =>
    searchWarnings({ waiting: 3 }, redactor, ...advice).warnings;
  expect(warningsOf()).toEqual([
    '3 observations are not embedded yet and can be found only by their words (mode text or hybrid).',
  ]);
  expect(warningsOf('people')).toEqual([
    '3 observations are not embedded yet and can be found only by words. A server embeds them in the background, trellis embed at once.',
  ]);
  expect(warningsOf('similar')).toEqual([
    '3 observations are not embedded yet, so their nodes are not compared. The server embeds them in the background; call again later.',
  ]);
});

test('texts that only another process can embed: no warning says to embed them here', () => {
  const warningsOf = (advice: 'people' | 'similar') =>
    searchWarnings({ waiting: 1, embeddedElsewhere: true }, redactor, advice).warnings;
  expect(warningsOf('people')).toEqual([
    '1 observation is not embedded yet and can be found only by words. The store is read-only here; texts are embedded where it can be written.',
  ]);
  expect(warningsOf('similar')).toEqual([
    '1 observation is not embedded yet, so their nodes are not compared. The store is read-only here; texts are embedded where it can be written.',
  ]);
});
