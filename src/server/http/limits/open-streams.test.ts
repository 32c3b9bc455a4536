import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Metrics } from '../metrics.js';
import { OpenStreams } from './open-streams.js';

const server = createServer();
let streams: OpenStreams;

beforeEach(async () => {
  streams = new OpenStreams({
    limits: { streams: 2, concurrency: 1 },
    metrics: new Metrics(() => ({ calls: 0, writes: 0, unsent: 0 })),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});

async function request() {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { client, response };
}

async function hangUp({ client, response }: Awaited<ReturnType<typeof request>>): Promise<void> {
  client.destroy();
  await once(response, 'close');
}

test('counts a stream until the client hangs up', async () => {
  const first = await request();
  streams.admit('ann', first.response);
  const second = await request();
  expect(() => streams.admit('ann', second.response)).toThrow('at most 1 for each actor');
  await hangUp(first);
  streams.admit('ann', second.response);
});

test('does not count a client that hung up before its stream began', async () => {
  const gone = await request();
  await hangUp(gone);
  expect(() => streams.admit('ann', gone.response)).toThrow('hung up');
  streams.admit('ann', (await request()).response);
});
