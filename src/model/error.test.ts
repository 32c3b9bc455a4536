import { expect, test } from 'vitest';
import { asTrellisError, reasonOf } from './error.js';

test.each([
  [new Error('no space left'), 'no space left'],
  ['plain text', 'plain text'],
  [undefined, 'undefined'],
  [Object.create(null), 'something that is not an error was thrown'],
])('whatever was thrown has a reason', (thrown, reason) => {
  expect(reasonOf(thrown)).toBe(reason);
  expect(asTrellisError(thrown)).toMatchObject({ code: 'INTERNAL', message: reason });
});
