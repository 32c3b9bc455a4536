import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { page, root, section } from './pages.js';

const folders = ['.ci', '.github', 'bench', 'docs', 'examples', 'schemas', 'scripts', 'src', 'test'];

/** The code that tests are made of. */
const code = ['bench', 'scripts', 'test', '.ci']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map((name) => join(folder, name)),
  )
  .filter(
    (path) =>
      /(\.[jt]s|\/[\w-]+)$/.test(path.replaceAll('\\', '/')) && !path.endsWith('contributing.test.ts'),
  )
  .concat('vitest.config.ts')
  .flatMap((path) => textOf(path) ?? [])
  .join('\n');

/** The text of a file; undefined for a folder. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

describe('the environment variables of the tests', () => {
  const table = section(page('CONTRIBUTING.md'), '## Environment variables of the tests') ?? '';
  const described = [...table.matchAll(/^\| `(\w+)` \|/gm)].flatMap(([, name]) => name ?? []);

  test('each has a row', () => {
    const used = new Set(code.match(/\bTRELLIS_TEST_[A-Z_]+[A-Z]/g));
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter((name) => !described.includes(name))).toEqual([]);
  });

  test('each row is about one that is read', () => {
    const ours = described.filter((name) => name.startsWith('TRELLIS_'));
    expect(ours.filter((name) => !code.includes(name))).toEqual([]);
  });

  test('their names say that they are for tests, besides what every program is given', () => {
    const read = [...code.matchAll(/\b(?:process\.)?env(?:\.|\[')([A-Z][A-Z_]+)/g)].flatMap(
      ([, name]) => name ?? [],
    );
    const given = ['PATH', 'HOME', 'NODE_PATH', ...described];
    expect(read).toContain('TRELLIS_TEST_SEED');
    expect(read.filter((name) => !given.includes(name))).toEqual([]);
  });
});

describe.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/releasing.md'])('the paths in %s', (path) => {
  test('lead somewhere', () => {
    const quoted = [...page(path).text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name]) => name ?? []);
    const paths = quoted.filter(
      (name) => folders.includes(name.split('/')[0] ?? '') && name.includes('/') && !/[<*…]/.test(name),
    );
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});
