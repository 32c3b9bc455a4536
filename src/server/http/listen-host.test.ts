import { expect, test } from 'vitest';
import { isLoopback, isWildcardAddress, urlOf, withListenHost } from './listen-host.js';

test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['0.0.0.0', '::', '192.168.1.1', '127.0.0.1.evil.example', 'example.org', ''])(
  '%s is not',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

test.each([
  ['0.0.0.0', 'http://127.0.0.1:1'],
  ['0', 'http://127.0.0.1:1'],
  ['', 'http://127.0.0.1:1'],
  ['::', 'http://[::1]:1'],
  ['[::]', 'http://[::1]:1'],
  ['0:0:0:0:0:0:0:0', 'http://[::1]:1'],
])('trust 38: a server that listens on %j is reached at %s', (host, url) => {
  expect(isWildcardAddress(host)).toBe(true);
  expect(urlOf(host, 1)).toBe(url);
});

test.each([
  ['192.168.1.1', 'http://192.168.1.1:1', '192.168.1.1'],
  ['fd00::1', 'http://[fd00::1]:1', '[fd00::1]'],
  ['memory.lan', 'http://memory.lan:1', 'memory.lan'],
])('trust 38: a server that listens on %s is reached at %s, and answers to that name', (host, url, name) => {
  expect(urlOf(host, 1)).toBe(url);
  expect(withListenHost(host, { hosts: ['a'], origins: ['b'] })).toEqual({
    hosts: ['a', name],
    origins: ['b'],
  });
});

test.each(['127.0.0.1', '::1', '0.0.0.0', '::'])('listening on %s adds no name', (host) => {
  expect(withListenHost(host, { hosts: [], origins: [] }).hosts).toEqual([]);
});
