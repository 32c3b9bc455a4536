import { expect, test } from 'vitest';
import { accepts } from './accept-header.js';

test.each([
  [null, true],
  ['', true],
  ['*/*', true],
  ['application/*', true],
  ['application/json', true],
  ['APPLICATION/JSON; charset=utf-8', true],
  ['application/json, text/event-stream', true],
  ['text/html, application/json;q=0.5', true],
  ['text/event-stream', false],
  ['text/html, application/xml', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=0.0', false],
  ['application/jsonp', false],
  ['application/json;q=nonsense', false],
])('Accept: %s takes JSON: %s', (header, expected) => {
  expect(accepts(header, 'application/json')).toBe(expected);
});
