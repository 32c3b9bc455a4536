import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type Answering, answerJson, answerStatus, eventOf, FakeServer } from './fake-server.js';
import { Relayed } from './relayed.js';

const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
const events = { 'Content-Type': 'text/event-stream' };
const running: FakeServer[] = [];
const clients: Relayed[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.terminate();
  for (const server of running.splice(0)) await server.close();
});

async function relayed(answering: Answering, credentials?: ConstructorParameters<typeof Relayed>[1]) {
  const server = await FakeServer.start(answering);
  running.push(server);
  const client = new Relayed(`${server.url}/mcp`, credentials);
  clients.push(client);
  return { server, client };
}

const call = (id: number, name = 'x') => ({ id, method: 'tools/call', params: { name, ...meta } });
const errorOf = async (client: Relayed, index = 0) => {
  await expect.poll(() => client.messages[index]).toBeDefined();
  return client.messages[index];
};

describe('what passes', () => {
  test('is what was sent, to the letter, in both directions', async () => {
    const sent =
      '{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"n":12345678901234567890,"t":"é😀\\ud800"}}';
    const back = '{"jsonrpc":"2.0",\n "id":1,\r\n"result":{"n":98765432109876543210.5000,"t":"\\u2028"}}';
    const { server, client } = await relayed((_, response) =>
      answerStatus(response, 200, back, { 'Content-Type': 'application/json; charset=utf-8' }),
    );
    client.line(sent);
    await expect.poll(() => client.lines).toEqual([back.replace(/[\r\n]+/g, ' ')]);
    expect(server.arrived[0]?.body).toBe(sent);
    expect(server.arrived[0]?.headers['authorization']).toBeUndefined();
  });

  test('every message of a stream, as soon as it comes, with progress before the answer', async () => {
    const progress = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 1 },
    };
    let finish = () => {};
    const { client } = await relayed((_, response) => {
      response.writeHead(200, events);
      response.write(`: hello\n\n${eventOf(progress)}`);
      finish = () => response.end(eventOf({ jsonrpc: '2.0', id: 1, result: {} }));
    });
    client.send(call(1));
    await expect.poll(() => client.messages).toEqual([progress]);
    finish();
    await expect.poll(() => client.messages).toHaveLength(2);
  });

  test('in the protocol of 2026 headers repeat what the message says; odd names are encoded', async () => {
    const { server, client } = await relayed(answerJson);
    client.send(call(1, 'open_nodes'));
    client.send({ id: 2, method: 'resources/read', params: { uri: ' zoë\n', ...meta } });
    await expect.poll(() => client.messages).toHaveLength(2);
    const headers = new Map(server.arrived.map(({ headers, body }) => [JSON.parse(body).id, headers]));
    expect(headers.get(1)).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'open_nodes',
    });
    expect(headers.get(2)?.['mcp-name']).toBe(`=?base64?${Buffer.from(' zoë\n').toString('base64')}?=`);
  });

  test('in the protocol of 2025 the session and the version of the start go along, and the session is ended', async () => {
    const { server, client } = await relayed((arrived, response) => {
      if (arrived.method !== 'POST') return answerStatus(response, 405);
      if (!('id' in JSON.parse(arrived.body))) return answerStatus(response, 202);
      answerJson(arrived, response, { protocolVersion: '2025-06-18' }, { 'Mcp-Session-Id': 's-1' });
    });
    client.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } });
    client.send({ method: 'notifications/initialized' });
    client.send({ id: 2, method: 'tools/list' });
    await expect.poll(() => client.messages).toHaveLength(2);
    await client.close();
    const [first, ...others] = server.arrived;
    expect(first?.headers['mcp-session-id']).toBeUndefined();
    expect(first?.headers['mcp-protocol-version']).toBeUndefined();
    for (const { headers } of others) {
      expect(headers).toMatchObject({ 'mcp-session-id': 's-1', 'mcp-protocol-version': '2025-06-18' });
    }
    expect(others.map(({ method }) => method).sort()).toEqual(['DELETE', 'GET', 'POST', 'POST']);
  });

  test('in the protocol of 2025 what the server sends on its own comes too, and a broken stream is taken up again', async () => {
    const changed = (n: number) => ({ jsonrpc: '2.0', method: 'notifications/changed', params: { n } });
    let streams = 0;
    const { server, client } = await relayed((arrived, response) => {
      if (arrived.method === 'GET') {
        response.writeHead(200, events);
        streams += 1;
        if (streams === 1) response.end(eventOf(changed(1), 'e1'));
        else response.write(eventOf(changed(2), 'e2'));
      } else answerStatus(response, 202);
    });
    client.send({ method: 'notifications/initialized' });
    await expect.poll(() => client.messages).toEqual([changed(1), changed(2)]);
    const gets = server.arrived.filter(({ method }) => method === 'GET');
    expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1']);
  });

  test('a first request and a notification have arrived before what follows them is sent', async () => {
    const { server, client } = await relayed(async (arrived, response) => {
      await delay(30);
      if ('id' in JSON.parse(arrived.body)) answerJson(arrived, response);
      else answerStatus(response, 202);
    });
    client.send({ id: 1, method: 'initialize', params: {} });
    client.send({ method: 'notifications/roots/list_changed' });
    client.send({ id: 2, method: 'tools/list' });
    await expect.poll(() => client.messages).toHaveLength(2);
    expect(server.arrived.map(({ body }) => JSON.parse(body).method)).toEqual([
      'initialize',
      'notifications/roots/list_changed',
      'tools/list',
    ]);
  });
});

describe('giving up', () => {
  test('a cancelled request of 2026 closes its stream, is not answered, and tells nobody else', async () => {
    let closed = false;
    const { server, client } = await relayed((_, response) => {
      response.writeHead(200, events);
      response.write(': waiting\n\n');
      response.on('close', () => {
        closed = true;
      });
    });
    client.send(call(1));
    await expect.poll(() => server.arrived).toHaveLength(1);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => closed).toBe(true);
    await client.close();
    expect(client.lines).toEqual([]);
    expect(server.arrived).toHaveLength(1);
  });

  test('a cancelled request of 2025 is told to the server, which decides', async () => {
    let answer = () => {};
    const { client } = await relayed((arrived, response) => {
      if ('id' in JSON.parse(arrived.body)) answer = () => answerJson(arrived, response);
      else {
        answerStatus(response, 202);
        answer();
      }
    });
    client.send({ id: 1, method: 'tools/call', params: { name: 'x' } });
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => client.messages).toMatchObject([{ id: 1, result: {} }]);
  });

  test('when the client closes its end, what it asked for is still answered', async () => {
    const { client } = await relayed(async (arrived, response) => {
      await delay(100);
      answerJson(arrived, response);
    });
    client.send(call(1));
    client.send(call(2));
    await client.close();
    expect(client.messages.map(({ id }) => id).sort()).toEqual([1, 2]);
  });

  test('a subscription does not keep it from ending', async () => {
    const { server, client } = await relayed((_, response) => {
      response.writeHead(200, events);
      response.write(': listening\n\n');
    });
    client.send({ id: 1, method: 'subscriptions/listen', params: meta });
    await expect.poll(() => server.arrived).toHaveLength(1);
    await client.close();
    expect(client.lines).toEqual([]);
  });
});

describe('what goes wrong', () => {
  test.each([
    [401, '{"error":{"message":"no token"}}', {}, /answered 401\. Set A_TOKEN/],
    [403, '', {}, /answered 403\. Ask the operator/],
    [404, '{"error":"gone"}', {}, /answered 404\. gone Check the path \/mcp/],
    [429, 'slow down', { 'Retry-After': '7' }, /answered 429\. slow down Wait 7 s/],
    [503, '<html>Bad gateway</html>', {}, /answered 503\. Try again/],
    [
      307,
      '',
      { Location: 'https://evil.example/mcp' },
      /to https:\/\/evil\.example\/mcp\. Tokens are not sent to other addresses/,
    ],
  ])('status %i becomes an error that says what to do', async (status, body, headers, words) => {
    const { client } = await relayed((_, response) => answerStatus(response, status, body, headers), {
      token: 'secret',
      hint: 'Set A_TOKEN',
    });
    client.send(call(1));
    const { id, error } = (await errorOf(client)) ?? {};
    expect({ id, code: error?.code, data: error?.data }).toEqual({ id: 1, code: -32000, data: { status } });
    expect(error?.message).toMatch(words);
    expect(error?.message).not.toContain('secret');
  });

  test('an error of the server in the words of the protocol passes as it is', async () => {
    const own = '{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Header mismatch","data":{"x":1}}}';
    const { client } = await relayed((_, response) => answerStatus(response, 400, own));
    client.send(call(1));
    await expect.poll(() => client.lines).toEqual([own]);
  });

  test('a redirect is not followed, so the token goes nowhere else', async () => {
    const elsewhere = await FakeServer.start(answerJson);
    running.push(elsewhere);
    const { client } = await relayed(
      (_, response) => answerStatus(response, 308, '', { Location: `${elsewhere.url}/mcp` }),
      { token: 'secret', hint: '' },
    );
    client.send(call(1));
    await errorOf(client);
    expect(elsewhere.arrived).toEqual([]);
  });

  test('a server that is not there, and one that goes away in between, are told apart from an answer', async () => {
    const { server, client } = await relayed((_, response) => {
      response.writeHead(200, events);
      response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: {} }));
      setImmediate(() => response.destroy());
    });
    client.send(call(1));
    await expect.poll(() => client.messages.at(-1)).toMatchObject({ id: 1, error: { code: -32000 } });
    await server.close();
    running.splice(0);
    client.send(call(2));
    await expect
      .poll(() => client.messages.at(-1))
      .toMatchObject({
        id: 2,
        error: { message: expect.stringMatching(/connection refused.*trellis serve/) },
      });
  });

  test('an answer that ends without one is an error, and so is one that is no JSON-RPC', async () => {
    const { client } = await relayed((arrived, response) => {
      if (JSON.parse(arrived.body).id === 1) answerStatus(response, 200, '', events);
      else answerStatus(response, 200, '"hello"', { 'Content-Type': 'application/json' });
    });
    client.send(call(1));
    client.send(call(2));
    await expect.poll(() => client.messages).toHaveLength(2);
    expect(client.messages.every(({ error }) => error?.code === -32000)).toBe(true);
    expect(client.notes).toHaveLength(1);
  });

  test('a notification that cannot be delivered is noted, not printed', async () => {
    const { client } = await relayed((_, response) => answerStatus(response, 500));
    client.send({ method: 'notifications/initialized' });
    await expect.poll(() => client.notes).toHaveLength(1);
    expect(client.lines).toEqual([]);
  });

  test.each([
    ['no JSON', '{', -32700],
    ['no JSON-RPC', '{"id":1}', -32600],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['an id that cannot be answered', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ])('%s is refused here', async (_, line, code) => {
    const { server, client } = await relayed(answerJson);
    client.line(line);
    expect(await errorOf(client)).toMatchObject({ id: null, error: { code } });
    expect(server.arrived).toEqual([]);
  });

  test('a line beyond the bound is refused under its id, and the next one passes', async () => {
    const { client } = await relayed(answerJson);
    client.line(`{"jsonrpc":"2.0","id":1,"method":"x","params":"${'x'.repeat(9_000_000)}"}`);
    client.send(call(2));
    await expect.poll(() => client.messages).toHaveLength(2);
    expect(client.messages[0]).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('too long') },
    });
  });

  test('a line that is no UTF-8 is refused under its id and goes nowhere', async () => {
    const { server, client } = await relayed(answerJson);
    client.line(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"caf\u00e9"}', 'latin1'));
    expect(await errorOf(client)).toMatchObject({ id: 1, error: { code: -32_700 } });
    expect(server.arrived).toEqual([]);
  });
});

describe('the token', () => {
  test('goes with every request', async () => {
    const { server, client } = await relayed(answerJson, { token: 'abc', hint: '' });
    client.send(call(1));
    await expect.poll(() => client.messages).toHaveLength(1);
    expect(server.arrived[0]?.headers['authorization']).toBe('Bearer abc');
  });

  test('that has expired is renewed once, and the message sent again', async () => {
    let renewals = 0;
    const renewed = async () => {
      renewals += 1;
      return { token: 'new', hint: 'hint', renewed };
    };
    const { server, client } = await relayed(
      (arrived, response) =>
        arrived.headers['authorization'] === 'Bearer new' && JSON.parse(arrived.body).id === 1
          ? answerJson(arrived, response)
          : answerStatus(response, 401),
      { token: 'old', hint: '', renewed },
    );
    client.send(call(1));
    await expect.poll(() => client.messages).toMatchObject([{ id: 1, result: {} }]);
    client.send(call(2));
    await expect.poll(() => client.messages).toHaveLength(2);
    expect(client.messages[1]).toMatchObject({ id: 2, error: { data: { status: 401 } } });
    expect(renewals).toBe(2);
    expect(server.arrived).toHaveLength(4);
  });
});
