import type { Server as NodeServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { asTrellisError, TrellisError } from '../model/error.js';
import { errorText } from '../surfaces/dispatch.js';
import { Endpoints } from './endpoints.js';
import { InFlight } from './in-flight.js';
import { isLoopback, refusal } from './loopback.js';
import { reportOnStderr, type SessionOptions } from './session.js';
import { packageVersion } from './version.js';

export interface HttpOptions extends SessionOptions {
  /** Default: 127.0.0.1; only loopback addresses, since anybody who reaches the server may use it. */
  readonly host?: string | undefined;
  /** Default: 8765; 0 takes any free one. */
  readonly port?: number | undefined;
}

export interface HttpServer {
  /** Where it listens, without a path. */
  readonly url: string;
  /** Takes no new requests, lets those in flight finish, and closes. */
  close(): Promise<void>;
}

export const defaultHost = '127.0.0.1';
export const defaultPort = 8765;

/** How long connections may take to end once nothing is running. */
const lastBytesMs = 2_000;

/** Serves any number of clients over HTTP: MCP at `/mcp` and `/graphs/{graph}/{surface}/mcp`, liveness at `/healthz`. */
export async function startHttpServer(options: HttpOptions): Promise<HttpServer> {
  const host = options.host ?? defaultHost;
  if (!isLoopback(host)) {
    throw new TrellisError(
      'USAGE',
      `Without tokens the server listens on this machine only, not on ${host}.`,
      {
        hint: `Use ${defaultHost}, localhost or ::1.`,
      },
    );
  }
  const calls = new InFlight();
  const endpoints = new Endpoints(options, calls);
  await endpoints.openDefault();
  const state = { stopping: false };
  const server = createAdaptorServer({
    fetch: routes(endpoints, state, options.report ?? reportOnStderr).fetch,
  });
  if (!('closeIdleConnections' in server)) throw new TrellisError('INTERNAL', 'Not an HTTP/1.1 server.');
  const url = await listen(server, host, options.port ?? defaultPort);
  return {
    url,
    async close() {
      if (state.stopping) return;
      state.stopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await calls.idle();
      await endConnections(server, endpoints, closed);
    },
  };
}

function routes(
  endpoints: Endpoints,
  state: { readonly stopping: boolean },
  report: (error: unknown) => void,
): Hono {
  const app = new Hono();
  const version = packageVersion();
  app.use(async (context, next) => {
    const refused = refusal(context.req.header('host'), context.req.header('origin'));
    if (refused !== undefined) return context.json(rpcError(refused), 403);
    if (state.stopping)
      return context.json(rpcError('The server is shutting down.'), 503, { Connection: 'close' });
    return next();
  });
  app.get('/healthz', (context) => context.json({ status: 'ok', version }));
  app.post('/mcp', (context) => endpoints.fetchDefault(context.req.raw));
  app.post('/graphs/:graph/:surface/mcp', (context) => {
    const { graph, surface } = context.req.param();
    return endpoints.fetch(graph, surface, context.req.raw);
  });
  for (const path of ['/mcp', '/graphs/:graph/:surface/mcp']) {
    app.all(path, (context) =>
      context.json(rpcError('Method not allowed: use POST.'), 405, { Allow: 'POST' }),
    );
  }
  app.notFound((context) =>
    context.json(rpcError('There is nothing here. MCP is at /mcp and /graphs/{graph}/{surface}/mcp.'), 404),
  );
  app.onError((thrown, context) => {
    const error = asTrellisError(thrown);
    if (error.code === 'INTERNAL') report(thrown);
    return context.json(rpcError(errorText(error)), statusOf(error));
  });
  return app;
}

function statusOf({ code }: TrellisError): 400 | 404 | 500 | 503 {
  if (code === 'NOT_FOUND' || code === 'GRAPH_NOT_FOUND') return 404;
  if (code === 'CAPABILITY_MISSING' || code === 'USAGE') return 400;
  return code.startsWith('STORE_') ? 503 : 500;
}

function rpcError(message: string) {
  return { jsonrpc: '2.0', id: null, error: { code: -32000, message } };
}

function listen(server: NodeServer, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)));
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      const address = server.address();
      const actual = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${actual}`);
    });
  });
}

function cannotListen(error: Error, host: string, port: number): TrellisError {
  const taken = 'code' in error && error.code === 'EADDRINUSE';
  return new TrellisError(
    'ADDRESS_UNAVAILABLE',
    taken ? `Port ${port} on ${host} is in use.` : error.message,
    {
      ...(taken ? { hint: 'Stop the other program, or choose another port with --port.' } : {}),
      cause: error,
    },
  );
}

/** Answers on their way out get their time; then listening streams end, and whatever still hangs is cut. */
async function endConnections(
  server: NodeServer,
  endpoints: Endpoints,
  closed: Promise<void>,
): Promise<void> {
  await delay(20);
  await endpoints.close();
  server.closeIdleConnections();
  const patience = new AbortController();
  await Promise.race([closed, delay(lastBytesMs, undefined, { signal: patience.signal }).catch(() => {})]);
  patience.abort();
  server.closeAllConnections();
  await closed;
}
