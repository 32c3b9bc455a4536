import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { postgres, type Scratch, scratchStore, sqlite } from '../helpers/stores.js';

describe.each([sqlite, postgres])('$kind', (kind) => {
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

  const get = async (path: string) => {
    const response = await fetch(server.url + path);
    return { status: response.status, body: await response.text() };
  };

  test('is ready while the store answers', async () => {
    expect(await get('/readyz')).toEqual({ status: 200, body: '{"status":"ready"}' });
  });

  test('is alive but not ready when the store is gone, and says why', async () => {
    await scratch.store.close();
    expect((await get('/healthz')).status).toBe(200);
    const { status, body } = await get('/readyz');
    expect(status).toBe(503);
    expect(JSON.parse(body)).toEqual({ status: 'unavailable', reason: expect.stringMatching(/./) });
    // Metrics go on without what the store would say.
    const metrics = await get('/metrics');
    expect(metrics.status).toBe(200);
  });

  test('metrics have the size of the store', async () => {
    const { body } = await get('/metrics');
    expect(Number(/^trellis_store_bytes (\d+)$/m.exec(body)?.[1])).toBeGreaterThan(0);
    expect(/^trellis_store_log_bytes \d+$/m.test(body)).toBe(kind === sqlite);
  });
});
