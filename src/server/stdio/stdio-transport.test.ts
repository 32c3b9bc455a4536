import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StdioTransport } from './stdio-transport.js';

async function opened() {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const transport = new StdioTransport(stdin, stdout);
  const received: unknown[] = [];
  transport.onmessage = (message) => received.push(message);
  await transport.start();
  return { stdin, stdout, transport, received };
}

const request = (id: number, method = 'ping') => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`;

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

test('the end of the input does not close it while requests are unanswered', async () => {
  const { stdin, stdout, transport, received } = await opened();
  stdin.end(request(1));
  await transport.ended;
  expect(received).toHaveLength(1);
  expect(await isSettled(transport.answered())).toBe(false);
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await transport.answered();
  expect(JSON.parse(String(stdout.read()))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

test('a request used twice is answered twice', async () => {
  const { stdin, transport } = await opened();
  stdin.end(request(1) + request(1));
  await transport.ended;
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  expect(await isSettled(transport.answered())).toBe(false);
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  expect(await isSettled(transport.answered())).toBe(true);
});

test('neither a cancelled request nor a subscription is waited for', async () => {
  const { stdin, transport } = await opened();
  stdin.write(request(1));
  stdin.write(request(2, 'subscriptions/listen'));
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  stdin.end(`${JSON.stringify(cancelled)}\n`);
  await transport.ended;
  expect(await isSettled(transport.answered())).toBe(true);
});

test('when nobody reads the output the session is over', async () => {
  const { stdin, stdout, transport } = await opened();
  const errors: Error[] = [];
  transport.onerror = (error) => errors.push(error);
  stdin.write(request(1));
  stdout.destroy(new Error('EPIPE'));
  await transport.ended;
  await transport.answered();
  expect(errors).toMatchObject([{ message: 'EPIPE' }]);
  await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow();
});
