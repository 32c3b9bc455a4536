import { expect, test } from 'vitest';
import { resourceAt } from './resource-at.js';

test.each([
  ['/mcp', 'https://memory.example.com', 'https://memory.example.com/mcp'],
  ['', 'https://memory.example.com/', 'https://memory.example.com/'],
  ['/mcp', 'https://example.com/trellis/', 'https://example.com/trellis/mcp'],
  ['/trellis/mcp', 'https://example.com/trellis', 'https://example.com/trellis/mcp'],
  ['/trellisx/mcp', 'https://example.com/trellis', 'https://example.com/trellis/trellisx/mcp'],
])('%s of %s is %s', (path, publicUrl, expected) => {
  expect(resourceAt(path, publicUrl)?.href).toBe(expected);
});

test.each([
  '//evil.example/mcp',
  '/\\evil.example/mcp',
  '@evil.example/mcp',
  'https://evil.example/',
  '/%2F%2Fevil.example',
])('trust 36: no path, such as %s, leads to another host', (path) => {
  for (const publicUrl of ['https://memory.example.com', 'https://memory.example.com/trellis']) {
    expect(resourceAt(path, publicUrl)?.host).toBe('memory.example.com');
  }
});

test('an address that nobody said is no address', () => {
  expect(resourceAt('/mcp', undefined)).toBeUndefined();
});
