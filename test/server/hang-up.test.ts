import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { eras } from '../helpers/eras.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { callBody, rpcHeaders, withClient } from './helpers.js';

/** It looks at so many combinations that nobody has seen it end. */
const source =
  'query all() { match { $a: Thing $b: Thing $c: Thing $d: Thing $e: Thing } return { count($a) as n } }';

describe.each(databaseKinds)('a client that hangs up in the middle of a long read of $kind', (kind) => {
  let scratch: Scratch;
  let server: HttpServer;
  let at = '';

  beforeAll(async () => {
    scratch = await scratchStore(kind);
    server = await startHttpServer({ store: scratch.store, port: 0 });
    at = `${server.url}/graphs/default`;
    const nodes = Array.from({ length: 200 }, (_, index) => ({
      ...{ name: `thing ${index}`, type: 'Thing', observations: [] },
    }));
    await new Graph(scratch.store, 'default').write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, nodes),
    );
  });
  afterAll(async () => {
    await server.close();
    await scratch.dispose();
  });

  const figure = async (pattern: RegExp): Promise<number> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return Number(pattern.exec(metrics)?.[1] ?? 0);
  };
  const running = () => figure(/^trellis_calls_in_flight (\d+)/m);
  const cancelled = () => figure(/^trellis_tool_calls_total\{.*tool="query".*outcome="CANCELLED".*\} (\d+)/m);
  const until = async (met: () => Promise<boolean>) => {
    while (!(await met())) await delay(20);
  };
  /** Sends a request, and cuts the line as soon as it is being worked on. */
  const hangUp = async (path: string, body: string) => {
    const sent = request(`${at}/${path}`, { method: 'POST', headers: rpcHeaders });
    sent.on('error', () => {});
    sent.end(body);
    await until(async () => (await running()) === 1);
    sent.destroy();
  };
  const ends = async (before: number) => {
    await until(async () => (await cancelled()) === before + 1);
    expect(await running()).toBe(0);
  };

  test('ends the read of a REST call', async () => {
    const before = await cancelled();
    await hangUp('query', JSON.stringify({ query: source }));
    await ends(before);
  });

  test('ends the read of an MCP call', async () => {
    const before = await cancelled();
    await hangUp('mcp', callBody('query', { source }));
    await ends(before);
  });

  test.each(eras)('ends the read of a client of $era that is closed', async (era) => {
    const before = await cancelled();
    await withClient(
      `${at}/mcp`,
      async (client) => {
        client.callTool({ name: 'query', arguments: { source } }).catch(() => {});
        await until(async () => (await running()) === 1);
      },
      { era },
    );
    await ends(before);
  });
});
