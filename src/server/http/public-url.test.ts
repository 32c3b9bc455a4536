import { expect, test } from 'vitest';
import { publicUrlFor } from './public-url.js';

test.each([
  ['/mcp', 'https://memory.example.com', 'https://memory.example.com/mcp'],
  ['', 'https://memory.example.com/', 'https://memory.example.com/'],
  ['/mcp', 'https://example.com/trellis/', 'https://example.com/trellis/mcp'],
  ['/trellis/mcp', 'https://example.com/trellis', 'https://example.com/trellis/mcp'],
  ['/trellisx/mcp', 'https://example.com/trellis', 'https://example.com/trellis/trellisx/mcp'],
])('%s of %s is %s', (path, publicUrl, expected) => {
  expect(publicUrlFor(path, publicUrl)?.href).toBe(expected);
});

test.each([
  '//evil.example/mcp',
  '/\\evil.example/mcp',
  '@evil.example/mcp',
  'https://evil.example/',
  '/%2F%2Fevil.example',
])('trust 36: no path, such as %s, leads to another host', (path) => {
  for (const publicUrl of ['https://memory.example.com', 'https://memory.example.com/trellis']) {
    expect(publicUrlFor(path, publicUrl)?.host).toBe('memory.example.com');
  }
});

test('an address that nobody said is no address', () => {
  expect(publicUrlFor('/mcp', undefined)).toBeUndefined();
});
