import { expect, test } from 'vitest';
import { testsThatDiffer } from '../../scripts/tests-that-differ.js';

const found = testsThatDiffer();

test.each([
  ['read the mode', 'test/crash/crash.test.ts'],
  ['read it in a file that they import', 'test/gate/invariants.test.ts'],
  ['run on PGlite', 'test/store/postgres.test.ts'],
  ['run on PGlite beside SQLite', 'test/differential/differential.test.ts'],
  ['need what PGlite is not', 'test/postgres/concurrency.test.ts'],
])('CI runs without PostgreSQL what %s', (_, file) => {
  expect(found).toContain(file);
});

test.each([
  ['know nothing of stores', 'test/scripts/hooks.test.ts'],
  ['run on every kind of store that is there', 'test/memory/small-promises.test.ts'],
])('CI runs once what %s', (_, file) => {
  expect(found).not.toContain(file);
});
