import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('whatever the benchmarks and scripts import of this project is there', () => {
  const scripts = ['bench', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(root, folder, name)),
  );
  const imports = scripts.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return Array.from(text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^'$]+\.js)'/g), ([, path = '']) => ({
      ...{ file, path },
      there: existsSync(join(dirname(file), path)),
    }));
  });
  expect(imports.some(({ path }) => path.includes('/dist/'))).toBe(true);
  expect(imports.filter(({ there }) => !there)).toEqual([]);
});
