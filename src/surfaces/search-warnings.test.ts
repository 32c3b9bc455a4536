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
    '3 observations are not embedded yet and are found only by their words. A server embeds them in the background, trellis embed at once.',
  ]);
  expect(warningsOf('similar')).toEqual([
    '3 observations are not embedded yet, so their nodes are not compared. The server embeds them in the background; call again later.',
  ]);
});
