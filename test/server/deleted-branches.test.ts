import { request } from 'node:http';
import { queryObjects } from 'node:v8';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { SubscriptionListeners } from '../../src/server/http/subscription-listeners.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { callBody, hear, listenRequest, rpcHeaders, withSseClient } from './helpers.js';

const soon = { timeout: 60_000, interval: 100 };

describe.each(databaseKinds)('trust 35: a deleted branch of $kind', (kind) => {
  let scratch: Scratch;
  let server: HttpServer;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    server = await startHttpServer({ store: scratch.store, port: 0, report: () => {} });
  });
  afterEach(async () => {
    await server.close();
    await scratch.dispose();
  });

  /** How many graphs and places are still held by somebody. */
  const held = () =>
    [Graph, SubscriptionListeners]
      .map((made) => queryObjects(made, { format: 'count' }))
      .reduce((a, b) => a + b);
  /** On a connection of its own: looking through all objects may take longer than an idle one stays open. */
  const ask = (method: string, path: string, body?: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const url = `${server.url}/graphs/default/${path}`;
      const outgoing = request(url, { method, headers: rpcHeaders, agent: false }, async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      });
      outgoing.once('error', reject).end(body);
    });
  const rest = (method: string, path: string, body?: object) =>
    ask(method, path, body === undefined ? undefined : JSON.stringify(body));
  const names = Array.from({ length: 8 }, (_, index) => `review/${index}`);

  /** Opens several surfaces on each branch, so that each has objects of its own. */
  async function use(branch: string): Promise<void> {
    for (const surface of ['memory', 'graph']) {
      const path = `${surface}/mcp?branch=${encodeURIComponent(branch)}`;
      const answer = await ask('POST', path, callBody(surface === 'memory' ? 'read_graph' : 'snapshot'));
      expect(answer).toEqual({ status: 200, text: expect.stringContaining('"result"') });
    }
  }

  test('is let go, with its places and listeners', async () => {
    await use('main');
    const before = held();
    for (const name of names) {
      expect((await rest('POST', 'branches', { name })).status).toBe(200);
      await use(name);
    }
    expect(held()).toBeGreaterThanOrEqual(before + names.length * 3);
    for (const name of names) {
      expect((await rest('DELETE', `branches/${encodeURIComponent(name)}`)).status).toBe(200);
    }
    await vi.waitFor(() => expect(held()).toBeLessThanOrEqual(before + 2), soon);
    expect((await rest('GET', 'snapshot?branch=review%2F1')).status).toBe(404);
  });

  test('is let go although another process has deleted it, once a further branch is used', async () => {
    await use('main');
    const before = held();
    for (const name of names) {
      await scratch.store.createBranch('default', name);
      await use(name);
    }
    for (const name of names) await scratch.store.deleteBranch('default', name);
    await scratch.store.createBranch('default', 'next');
    await use('next');
    await vi.waitFor(() => expect(held()).toBeLessThanOrEqual(before + 5), soon);
  });

  test('ends the streams of those who listen there, and of nobody else', async () => {
    await rest('POST', 'branches', { name: 'draft' });
    const listen = async (branch: string) => {
      const init = listenRequest(['trellis://schema'], {});
      const heard = hear(await fetch(`${server.url}/graphs/default/mcp?branch=${branch}`, init));
      await vi.waitFor(() => expect(heard.text).toContain('acknowledged'), soon);
      return heard;
    };
    const [draft, main] = [await listen('draft'), await listen('main')];
    const headers = { 'X-Memory-Workspace': 'default' };
    await withSseClient(
      `${server.url}/sse?branch=draft`,
      async (client) => {
        const closed = new Promise<void>((resolve) => {
          client.onerror = () => resolve();
          client.onclose = () => resolve();
        });
        expect((await rest('DELETE', 'branches/draft')).status).toBe(200);
        await closed;
      },
      headers,
    );
    await vi.waitFor(() => expect(draft.ended).toBe(true), soon);
    expect(main.ended).toBe(false);
  });

  test('answers the call that deletes the branch it was made on', async () => {
    await rest('POST', 'branches', { name: 'draft' });
    const answer = await ask('POST', 'mcp?branch=draft', callBody('branches_delete', { name: 'draft' }));
    expect(answer).toEqual({ status: 200, text: expect.stringContaining('"result"') });
    expect((await rest('GET', 'snapshot?branch=draft')).status).toBe(404);
  });
});
