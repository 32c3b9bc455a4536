// @ts-check
// Prints the test files in which `npm test` does something else than `npm run test:full`: those that read the mode or which
// PostgreSQL the run has. All others do the same in both, so CI runs them once.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** Nothing else tells a test how it is run. */
const readsTheRun = /\binject\(|TRELLIS_TEST_FULL/;

/** Without PostgreSQL, it leaves out one kind of store, and its files do the same with those that are left. */
const leavesOut = new URL('test/helpers/stores.ts', root).href;

export function testsThatDiffer() {
  return ['src', 'test']
    .flatMap((folder) =>
      readdirSync(new URL(folder, root), { encoding: 'utf8', recursive: true }).map((name) =>
        join(folder, name).replaceAll('\\', '/'),
      ),
    )
    .filter((file) => file.endsWith('.test.ts') && differs(new URL(file, root), new Set()))
    .sort();
}

/**
 * @param {URL} file
 * @param {Set<string>} seen
 * @returns {boolean}
 */
function differs(file, seen) {
  if (seen.has(file.href) || file.href === leavesOut) return false;
  seen.add(file.href);
  const { reads, imports } = look(file);
  return reads || imports.some((each) => differs(each, seen));
}

/** @type {Map<string, { readonly reads: boolean, readonly imports: readonly URL[] }>} */
const looked = new Map();

/** @param {URL} file */
function look(file) {
  const known = looked.get(file.href);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const found = { reads: readsTheRun.test(text), imports: importsOf(file, text) };
  looked.set(file.href, found);
  return found;
}

/**
 * The files of the repository that a file imports or starts.
 *
 * @param {URL} file
 * @param {string} text
 */
function importsOf(file, text) {
  return Array.from(text.matchAll(/['"`](\.{1,2}\/[^'"`\s]+)\.js['"`]/g), ([, path]) => path)
    .flatMap((path) => [new URL(`${path}.ts`, file), new URL(`${path}.js`, file)])
    .filter((each) => existsSync(each));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(testsThatDiffer().join('\n'));
