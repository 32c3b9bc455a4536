import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { localRequestContext } from '../../src/server/session.js';
import { serveStdio } from '../../src/server/stdio/serve-stdio.js';
import type { Reader } from '../../src/store/reader.js';
import { callTool } from '../../src/surfaces/dispatch.js';
import type { Surface } from '../../src/surfaces/surface.js';
import { defineTool } from '../../src/surfaces/tool.js';
import { adds, reads } from '../../src/surfaces/tool-annotations.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

const never = () => new Promise<never>(() => {});

/** A surface whose reads never end by themselves. */
class Lingering {
  readonly begun: Promise<void>;
  readonly ended: Promise<unknown>;
  readonly surface: Surface;

  constructor(work: (reader: Reader) => Promise<never> = never) {
    let begin = () => {};
    let end = (_: unknown) => {};
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    const shape = { input: z.object({}), output: z.object({}), action: 'read' as const };
    const linger = defineTool({
      ...shape,
      name: 'linger',
      title: 'Linger',
      description: 'Reads for ever.',
      annotations: reads,
      async run({ graph }) {
        const reading = graph.read(
          (reader) => {
            begin();
            return work(reader);
          },
          { length: 'unbounded' },
        );
        reading.catch((error) => end(error));
        return reading;
      },
    });
    const write = defineTool({
      ...shape,
      name: 'write',
      title: 'Write',
      description: 'Takes its time to write nothing.',
      annotations: adds,
      async run() {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return {};
      },
    });
    this.surface = {
      name: 'lingering',
      serverName: 'lingering',
      title: 'Lingering',
      instructions: '',
      tools: [linger, write],
      resources: [],
      prompts: [],
    };
  }
}

describe.each(storeKinds)('calls on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  test('a read that takes too long is ended, and its answer says so', async () => {
    const { surface, ended } = new Lingering(async (reader) => {
      for (;;) await reader.counts();
    });
    const context = await localRequestContext({ store: scratch.store, surface, readMs: 100 });
    const { isError, content } = await callTool(context, 'linger', {});
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain('took longer than 100 milliseconds');
    expect(await ended).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await scratch.store.read({ graph: 'default' }, (reader) => reader.counts())).toBeDefined();
  });

  test('a write is never given up', async () => {
    const { surface } = new Lingering();
    const context = await localRequestContext({ store: scratch.store, surface, readMs: 10 });
    const { isError } = await callTool({ ...context, signal: AbortSignal.timeout(20) }, 'write', {});
    expect(isError).toBeUndefined();
  });

  test('a read that its client cancels is ended', async () => {
    const { surface, begun, ended } = new Lingering();
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const session = serveStdio({ store: scratch.store, surface, stdin, stdout, report: () => {} });
    const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 0, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 1, method: 'tools/call', params: { name: 'linger', arguments: {} } });
    await begun;
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await ended).toMatchObject({ code: 'CANCELLED' });
    stdin.end();
    await session;
  });
});
