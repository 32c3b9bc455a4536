import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = 'dist/bundle/web';
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));
const bytesOf = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);

test('the explorer is small: few files, at most 250 KB compressed', () => {
  expect(files.length).toBeLessThanOrEqual(10);
  expect(bytesOf(files)).toBeLessThanOrEqual(250_000);
});

test('what draws graphs is loaded when it is needed', () => {
  const main = files.filter((name) => name.includes('main-'));
  expect(main).toHaveLength(1);
  expect(bytesOf(main)).toBeLessThanOrEqual(80_000);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toContain('drawing-views');
});

test('no file names another host', () => {
  const known = ['http://www.w3.org/'];
  const urls = files.flatMap(
    (name) => readFileSync(join(folder, name), 'utf8').match(/https?:\/\/[\w.-]+\//g) ?? [],
  );
  expect([...new Set(urls)].filter((url) => !known.includes(url))).toEqual([]);
});
