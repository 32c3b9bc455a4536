import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { page, root } from './pages.js';

const { text } = page('docs/architecture.md');
const files = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  ),
);
/** What the build makes. */
const made = ['trellis.js'];

test('every file that the architecture names is there', () => {
  const named = new Set(text.match(/(?<![\w<>./-])[\w./-]+\.(?:ts|js|peggy)\b/g));
  expect(named.size).toBeGreaterThan(50);
  const gone = [...named].filter(
    (name) => !made.includes(name) && !files.some((file) => file === name || file.endsWith(`/${name}`)),
  );
  expect(gone).toEqual([]);
});

test('every folder of the source stands in its table', () => {
  const folders = readdirSync(join(root, 'src')).map((name) => `src/${name}/`);
  expect(folders.filter((folder) => !text.includes(`\`${folder}`))).toEqual([]);
});
