import { expect, test } from 'vitest';
import { resolveSettings } from './settings.js';

const home = { HOME: '/home/ann' };

test('with nothing given, every value is the default and says so', () => {
  expect(resolveSettings({}, home)).toEqual({
    location: {
      value: { kind: 'store', path: '/home/ann/.local/share/trellis/trellis.db' },
      source: 'default',
    },
    graph: { value: 'default', source: 'default' },
    surface: { value: 'memory', source: 'default' },
    host: { value: '127.0.0.1', source: 'default' },
    port: { value: 8765, source: 'default' },
  });
});

test('the environment wins over the defaults, and names the variable', () => {
  const settings = resolveSettings(
    {},
    { ...home, TRELLIS_STORE: '~/a.db', TRELLIS_SERVER_PORT: '9', TRELLIS_GRAPH: 'g' },
  );
  expect(settings.location).toEqual({
    value: { kind: 'store', path: '/home/ann/a.db' },
    source: 'TRELLIS_STORE',
  });
  expect(settings.port).toEqual({ value: 9, source: 'TRELLIS_SERVER_PORT' });
  expect(settings.graph).toEqual({ value: 'g', source: 'TRELLIS_GRAPH' });
});

test('flags win over the environment, a --file over TRELLIS_STORE too', () => {
  const settings = resolveSettings(
    { file: '/b.jsonl', graph: 'h' },
    { TRELLIS_STORE: '/a.db', TRELLIS_GRAPH: 'g' },
  );
  expect(settings.location).toEqual({ value: { kind: 'file', path: '/b.jsonl' }, source: '--file' });
  expect(settings.graph).toEqual({ value: 'h', source: '--graph' });
});

test('an empty variable counts as not set', () => {
  expect(resolveSettings({}, { ...home, MEMORY_FILE_PATH: '' }).location.source).toBe('default');
});

test('MEMORY_FILE_PATH names a file whatever its ending', () => {
  const { location } = resolveSettings({}, { MEMORY_FILE_PATH: '/data/memory.txt' });
  expect(location).toEqual({ value: { kind: 'file', path: '/data/memory.txt' }, source: 'MEMORY_FILE_PATH' });
});

test('two answers to where the data is are refused', () => {
  expect(() => resolveSettings({ file: 'a', store: 'b' }, {})).toThrow('--file and --store are both given.');
  expect(() => resolveSettings({}, { MEMORY_FILE_PATH: 'a', TRELLIS_STORE: 'b' })).toThrow(
    'MEMORY_FILE_PATH and TRELLIS_STORE are both given.',
  );
});

test('a port that is none is refused with the place it came from', () => {
  expect(() => resolveSettings({ port: '99999' }, {})).toThrow('--port is "99999", which is no port.');
  expect(() => resolveSettings({}, { TRELLIS_SERVER_PORT: 'http' })).toThrow('TRELLIS_SERVER_PORT is "http"');
});

test('a store given as a URL stays as it is', () => {
  expect(resolveSettings({ store: 'postgres://h/d' }, {}).location.value.path).toBe('postgres://h/d');
});
