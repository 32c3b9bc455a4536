import { expect, test } from 'vitest';
import { requireSafeTransport, surfaceUrl } from './surface-url.js';

const server = 'https://memory.example.com';

test.each([
  [server, {}, '/mcp'],
  [`${server}/`, {}, '/mcp'],
  [`${server}/mcp`, {}, '/mcp'],
  [`${server}/graphs/work/mcp`, {}, '/graphs/work/mcp'],
  [server, { graph: 'work' }, '/graphs/work/mcp'],
  [server, { graph: 'a/b é', surface: 'memory' }, '/graphs/a%2Fb%20%C3%A9/memory/mcp'],
  [server, { graph: 'work', branch: 'a/b&c' }, '/graphs/work/mcp?branch=a%2Fb%26c'],
  [`${server}/trellis/`, { graph: 'work' }, '/trellis/graphs/work/mcp'],
  [`${server}/mcp?x=1#here`, { branch: 'draft' }, '/mcp?x=1&branch=draft'],
  [server, { workspace: 'notes' }, '/mcp'],
])('%s with %j is %s', (given, target, path) => {
  expect(surfaceUrl(given, target).href).toBe(server + path);
});

test.each([
  ['memory.example.com', {}, /must start with http/],
  ['ftp://memory.example.com', {}, /must start with http/],
  ['', {}, /must start with http/],
  ['https://ann:secret@memory.example.com', {}, /contains a password/],
  [server, { surface: 'memory' }, /needs a graph/],
  [server, { graph: 'work', workspace: 'notes' }, /both given/],
  [`${server}/mcp`, { graph: 'work' }, /already names an endpoint/],
])('%s with %j is refused', (given, target, words) => {
  expect(() => surfaceUrl(given, target)).toThrow(words);
});

test.each([
  ['http://127.0.0.1:8765', true],
  ['http://[::1]:8765', true],
  ['http://localhost', true],
  ['https://memory.example.com', true],
  ['http://memory.example.com', false],
  ['http://10.0.0.7', false],
  ['http://localhost.example.com', false],
])('whether a token may go to %s: %s', (url, safe) => {
  const check = (token: string | undefined, insecure: boolean) => () =>
    requireSafeTransport(new URL(url), { token, hint: '' }, insecure);
  if (safe) expect(check('t', false)).not.toThrow();
  else expect(check('t', false)).toThrow(/plain http/);
  expect(check('t', true)).not.toThrow();
  expect(check(undefined, false)).not.toThrow();
});
