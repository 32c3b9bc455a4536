import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { Store } from '../../src/store/store-contract.js';
import { openWithGraph, type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';
import { author, main } from '../store/conformance/context.js';
import { put } from '../store/conformance/graph-by-name.js';
import { hear, listenRequest } from './helpers.js';

const soon = { timeout: 60_000, interval: 20 };

describe.each(storeKinds)('what another process does on $kind', (kind) => {
  let scratch: Scratch;
  let server: HttpServer;
  let elsewhere: Store;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    elsewhere = await openWithGraph(scratch.path);
    server = await startHttpServer({ store: scratch.store, port: 0, report: () => {} });
  });
  afterEach(async () => {
    await server.close();
    await elsewhere.close();
    await scratch.dispose();
  });

  const write = (name: string) =>
    elsewhere.write(main, author, (writer) => put(writer, { nodes: { [name]: [] } }));

  async function listen(path: string, uri: string) {
    const heard = hear(await fetch(server.url + path, listenRequest([uri], {})));
    await vi.waitFor(() => expect(heard.text).toContain('subscriptions/acknowledged'), soon);
    return heard;
  }
  const updates = ({ text }: { readonly text: string }) => text.split('resources/updated').length - 1;

  test('is told to those who listen for changes', async () => {
    const heard = await listen('/mcp', 'memory://knowledge-graph');
    await write('Ada');
    await vi.waitFor(() => expect(updates(heard)).toBe(1), soon);
    await write('Bob');
    await vi.waitFor(() => expect(updates(heard)).toBe(2), soon);
  });

  test.runIf(kind.kind !== 'jsonl')(
    'with branches is told, and ends the streams on one that is gone',
    async () => {
      const heard = await listen('/graphs/default/mcp', 'trellis://branches');
      await elsewhere.createBranch('default', 'draft');
      await vi.waitFor(() => expect(updates(heard)).toBe(1), soon);
      const draft = await listen('/graphs/default/mcp?branch=draft', 'trellis://branches');
      await elsewhere.deleteBranch('default', 'draft');
      await vi.waitFor(() => expect([updates(heard), draft.ended]).toEqual([2, true]), soon);
      expect(heard.ended).toBe(false);
    },
  );
});
