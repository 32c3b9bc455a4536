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
