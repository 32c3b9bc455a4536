import { expect, test } from 'vitest';
import { hostRefusal } from './allowed-hosts.js';

test('a request for this machine from nowhere in particular is answered', () => {
  expect(hostRefusal('127.0.0.1:8765', undefined)).toBeUndefined();
});

test('a request without a Host is refused', () => {
  expect(hostRefusal(undefined, undefined)).toMatch(/Missing Host/);
});

test('a refusal says what would be accepted', () => {
  expect(hostRefusal('evil.example', undefined)).toMatch(/localhost, 127\.0\.0\.1, \[::1\] only/);
  expect(hostRefusal('localhost', 'https://evil.example')).toMatch(/Only pages of this machine/);
});

test('the page of the server itself may write, wherever it is reached', () => {
  const allowed = { hosts: ['memory.example.com', '192.168.1.5'], origins: [] };
  expect(hostRefusal('memory.example.com', 'https://memory.example.com', allowed)).toBeUndefined();
  expect(hostRefusal('192.168.1.5:8765', 'http://192.168.1.5:8765', allowed)).toBeUndefined();
  expect(hostRefusal('192.168.1.5:8765', 'http://192.168.1.5:9999', allowed)).toMatch(/Only pages/);
  expect(hostRefusal('memory.example.com', 'https://192.168.1.5', allowed)).toMatch(/Only pages/);
  expect(hostRefusal('evil.example', 'http://evil.example', allowed)).toMatch(/answers to/);
  expect(hostRefusal('memory.example.com', 'null', allowed)).toMatch(/Only pages|Invalid Origin/);
});
