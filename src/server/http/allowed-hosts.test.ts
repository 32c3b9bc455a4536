import { expect, test } from 'vitest';
import { refusal } from './allowed-hosts.js';

test('a request for this machine from nowhere in particular is answered', () => {
  expect(refusal('127.0.0.1:8765', undefined)).toBeUndefined();
});

test('a request without a Host is refused', () => {
  expect(refusal(undefined, undefined)).toMatch(/Missing Host/);
});

test('a refusal says what would be accepted', () => {
  expect(refusal('evil.example', undefined)).toMatch(/localhost, 127\.0\.0\.1, \[::1\] only/);
  expect(refusal('localhost', 'https://evil.example')).toMatch(/Only pages of this machine/);
});
