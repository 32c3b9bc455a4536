import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataDirectory, isUrl, resolvePath } from './paths.js';

test('data lives in XDG_DATA_HOME when it is set to an absolute path', () => {
  expect(dataDirectory({ XDG_DATA_HOME: '/data', HOME: '/home/ann' }, 'linux')).toBe('/data/trellis');
  expect(dataDirectory({ XDG_DATA_HOME: 'data', HOME: '/home/ann' }, 'linux')).toBe(
    '/home/ann/.local/share/trellis',
  );
});

test('without it, data lives where each platform keeps such things', () => {
  expect(dataDirectory({ HOME: '/home/ann' }, 'linux')).toBe('/home/ann/.local/share/trellis');
  expect(dataDirectory({ HOME: '/Users/ann' }, 'darwin')).toBe(
    '/Users/ann/Library/Application Support/trellis',
  );
  expect(dataDirectory({ LOCALAPPDATA: 'C:\\Local' }, 'win32')).toBe('C:\\Local\\trellis');
});

test('a path is taken as it is, from home, or from the working directory', () => {
  const env = { HOME: '/home/ann' };
  expect(resolvePath('/tmp/custom.jsonl', env, '/work')).toBe('/tmp/custom.jsonl');
  expect(resolvePath('~/notes.jsonl', env, '/work')).toBe('/home/ann/notes.jsonl');
  expect(resolvePath('~', env, '/work')).toBe('/home/ann');
  expect(resolvePath('~ann/notes.jsonl', env, '/work')).toBe('/work/~ann/notes.jsonl');
  expect(resolvePath('data/graph.jsonl', env, '/work')).toBe('/work/data/graph.jsonl');
  expect(resolvePath('~/a', {}, '/work')).toBe(join(homedir(), 'a'));
});

test('a URL is no path', () => {
  expect(isUrl('postgres://host/db')).toBe(true);
  expect(isUrl('./a:b/c.db')).toBe(false);
});
