import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { KeptConnection } from '../../src/cypher/cypher-access.js';
import { CypherError } from '../../src/cypher/cypher-connection.js';
import { CypherTarget } from '../../src/gate/cypher/cypher-target.js';
import { Gate } from '../../src/gate/gate.js';
import { InMemorySource } from '../../src/gate/registry/registry-snapshot.js';
import { person } from './gate-client.js';

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  server = undefined;
});

/** Returns its port. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

async function failureAt(url: string): Promise<unknown> {
  const access = new KeptConnection({ url, answerMs: 200 });
  try {
    return await access
      .use((connection) => connection.run({ text: 'RETURN 1 AS one' }))
      .catch((error: unknown) => error);
  } finally {
    await access.close();
  }
}

describe.each(['bolt', 'falkor'])('a server at %s://', (scheme) => {
  test('that accepts and then says nothing is given up', async () => {
    const port = await listen(() => {});
    const failure = await failureAt(`${scheme}://127.0.0.1:${port}`);
    expect(failure).toBeInstanceOf(CypherError);
    expect(failure).toMatchObject({ failure: 'lost', message: 'No answer within 0.2 seconds.' });
  });

  test.each([
    ['nonsense', Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')],
    ['bytes that mean nothing', Buffer.from([0xff, 0xfe, 0, 0, 0, 0, 1, 2, 3, 0x80])],
    ['an endless number', Buffer.from(`$${'9'.repeat(400)}\r\n`)],
  ])('that answers with %s is an error, not a crash', async (_, bytes) => {
    const port = await listen((socket) => socket.on('data', () => socket.write(bytes)));
    expect(await failureAt(`${scheme}://127.0.0.1:${port}`)).toBeInstanceOf(Error);
  });

  test('that closes each connection is an error', async () => {
    const port = await listen((socket) => socket.destroy());
    expect(await failureAt(`${scheme}://127.0.0.1:${port}`)).toBeInstanceOf(CypherError);
  });
});

test('a write to a database that hangs says that it is unavailable', async () => {
  const port = await listen(() => {});
  const access = new KeptConnection({ url: `falkor://127.0.0.1:${port}`, answerMs: 100 });
  const target = new CypherTarget(access, undefined, { retryMs: 0 });
  const gate = await Gate.open({ source: new InMemorySource({ nodes: [{ label: 'Person' }] }) });
  await expect(
    gate.writeNode(target, { actor: 'a', tool: 'write_node' }, person('Ada')),
  ).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('No answer') });
  await access.close();
});
