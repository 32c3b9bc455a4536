import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveWire } from '@modelcontextprotocol/server/stdio';
import type { InFlight } from '../../bounds/in-flight.js';
import { withTimeout } from '../../bounds/with-timeout.js';
import type { Surface } from '../../surfaces/surface.js';
import { createMcpServer } from '../mcp-server.js';
import { localRequestContext, type SessionOptions } from '../session.js';
import { shutdownSignal } from '../shutdown-signal.js';
import { StdioTransport } from './stdio-transport.js';

export interface StdioOptions extends SessionOptions {
  /** Default: the process's own. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

const lastAnswersMs = 2_000;

/** Resolves when the session is over; by then every received call has finished and its response is written. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const stop = new AbortController();
  const local = await localRequestContext(options);
  const context = { ...local, surface: await withServer(local.surface), stopping: stop.signal };
  const transport = new StdioTransport(options.stdin ?? process.stdin, options.stdout ?? process.stdout);
  const shutdown = shutdownSignal();
  const connection = serveWire(
    ({ era }) => createMcpServer(context, era === 'legacy' ? 'subscribed' : 'filtered'),
    { transport, onerror: context.report },
  );
  await Promise.race([transport.ended, shutdown.received]);
  transport.stopReading();
  stop.abort();
  await finish(transport, context.calls);
  await connection.close();
  await context.surface.close?.();
  shutdown.dispose();
}

async function withServer(surface: Surface): Promise<Surface> {
  if (surface.name !== 'graph') return surface;
  const { withUnlistedServerTools } = await import('../../surfaces/graph/server-surface.js');
  return withUnlistedServerTools(surface);
}

/** Cancelled and dropped requests get no response, and cancelled ones may still be writing. */
async function finish(transport: StdioTransport, calls: InFlight): Promise<void> {
  const answered = transport.answered();
  await Promise.race([answered, calls.idle()]);
  await withTimeout(answered, lastAnswersMs, () => {});
  await calls.idle();
}
