import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { serveGraphs } from '../graph/graph-server.js';
import { databaseKinds } from '../helpers/stores.js';

const line = (name: string) => `{"type":"note","data":{"name":"${name}"}}\n`;
/** The same as an export says it. */
const kept = (name: string) => `{"type":"note","id":"${name}","data":{}}\n`;

describe.each(databaseKinds)('lines that arrive while others write, on $kind:', (kind) => {
  const reported: unknown[] = [];
  const served = serveGraphs(kind, { report: (error) => reported.push(error) });
  let at = '';
  beforeEach(() => {
    at = served.at;
  });

  const send = (path: string, body: string | ReadableStream<Uint8Array>, type = 'application/x-ndjson') =>
    fetch(`${at}/ingest${path}`, {
      ...{ method: 'POST', headers: { 'Content-Type': type }, body },
      // Fetch wants this said of a body that is still being made.
      ...{ duplex: 'half' },
    });
  const exported = async (branch: string) => (await fetch(`${at}/export?branch=${branch}`)).text();
  const isThere = async (branch: string) => {
    const { branches } = (await (await fetch(`${at}/branches`)).json()) as { branches: string[] };
    return branches.includes(branch);
  };

  test('an ingest that fails takes its branch back, but not what others have written to it', async () => {
    const bytes = new TransformStream<Uint8Array, Uint8Array>();
    const writer = bytes.writable.getWriter();
    const failing = send('?branch=new&from=main', bytes.readable);
    void writer.write(Buffer.from(line('mine')));
    await expect.poll(() => isThere('new')).toBe(true);
    expect((await send('?branch=new', line('theirs'))).status).toBe(200);
    void writer.write(Buffer.from('no JSON\n'));
    void writer.close();
    expect((await failing).status).toBe(400);
    expect(await exported('new')).toBe(kept('theirs'));
  });

  test('of lines whose sender hangs up nothing is kept, nor the branch that was made for them', async () => {
    const { host, hostname, port } = new URL(served.server.url);
    const socket = connect(Number(port), hostname);
    const text = line('half');
    socket.write(
      `POST /graphs/${served.name}/ingest?branch=new&from=main HTTP/1.1\r\nHost: ${host}\r\n` +
        `Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${text.length.toString(16)}\r\n${text}\r\n`,
    );
    await expect.poll(() => isThere('new')).toBe(true);
    socket.destroy();
    await expect.poll(() => isThere('new')).toBe(false);
    await delay(50);
    expect(await exported('main')).toBe('');
    expect(reported).toEqual([]);
  });

  test.each(['application/jsonl', 'application/json-seq', 'text/plain'])(
    'lines may be called %s',
    async (type) => {
      expect((await send('', line('a'), type)).status).toBe(200);
      expect(await exported('main')).toBe(kept('a'));
    },
  );

  test('batches at the same time share one bound; whoever is beyond it is told when to come back', async () => {
    const bytes = new TransformStream<Uint8Array, Uint8Array>();
    const writer = bytes.writable.getWriter();
    const first = send('', bytes.readable);
    const block = Buffer.alloc(1_000_000, '\n');
    for (let i = 0; i < 60; i++) await writer.write(block);
    const second = () => send('', `${'\n'.repeat(9_000_000)}${line('b')}`);
    // What was written above may still be on its way.
    await vi.waitFor(async () => {
      const refused = await second();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ error: { code: 'SERVER_BUSY' } });
    }, 60_000);
    expect((await send('', line('small'))).status).toBe(200);
    await writer.write(Buffer.from(line('a')));
    await writer.close();
    expect((await first).status).toBe(200);
    expect((await second()).status).toBe(200);
    const names = ['small', 'a', 'b'];
    const all = await exported('main');
    for (const name of names) expect(all).toContain(kept(name));
  });

  test('a later batch takes a property of an edge away that an earlier one gave', async () => {
    const edge = (data: object) => `${JSON.stringify({ edge: 'knows', from: 'a', to: 'b', data })}\n`;
    await send('', line('a') + line('b') + edge({ since: 'May', how: 'well' }));
    await send('', edge({ since: 'June' }));
    await send('', edge({ since: null }));
    expect(await exported('main')).toBe(kept('a') + kept('b') + edge({ how: 'well' }));
  });
});
