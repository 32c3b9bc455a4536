import { expect, test } from 'vitest';
import { requestIdOf } from './request-id.js';

const filler = 'x'.repeat(2_000);

function idOf(line: string) {
  return requestIdOf({ head: line.slice(0, 512), tail: line.slice(-512) });
}

test.each([
  [{ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { filler } }, 7],
  [{ id: 'abc"\\', jsonrpc: '2.0', method: 'tools/call', params: { filler } }, 'abc"\\'],
  [{ method: 'tools/call', params: { filler }, jsonrpc: '2.0', id: 8 }, 8],
  [{ method: 'tools/call', params: { filler }, id: 9, jsonrpc: '2.0' }, 9],
  [{ method: 'tools/call', params: { filler, id: 10 }, jsonrpc: '2.0' }, null],
  [{ method: 'tools/call', params: { id: 11, filler } }, null],
])('the id of a long request is found where clients write it (%#)', (message, id) => {
  expect(idOf(JSON.stringify(message))).toBe(id);
});

test('an id inside the arguments is not taken for that of the request', () => {
  expect(idOf(JSON.stringify({ method: 'm', params: { filler, x: { id: 1 } } }))).toBeNull();
  expect(idOf(`{"method":"m","params":"${filler},\\"id\\":1}"}`)).toBeNull();
});
