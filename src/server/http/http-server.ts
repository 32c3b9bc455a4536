import type { Server as NodeServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { localAccessControl } from '../../access/access-control.js';
import { InFlight } from '../../bounds/in-flight.js';
import { withTimeout } from '../../bounds/with-timeout.js';
import { activeModelWriters } from '../../consolidation/model-writer.js';
import { TrellisError } from '../../model/error.js';
import { defaultGraph } from '../../model/graph-record.js';
import { embeddingHealth } from '../../search/embedding/embedding-health.js';
import { graphNames } from '../../store/graph-names.js';
import { serverSurface } from '../../surfaces/graph/server-surface.js';
import { silentLogger } from '../logger.js';
import { reportOnStderr } from '../session.js';
import { buildApp } from './app.js';
import { DenialLog } from './denial-log.js';
import { Endpoints } from './endpoints.js';
import { GraphAdmin } from './graph-admin.js';
import { defaultHost, defaultPort, type HttpOptions } from './http-options.js';
import { BufferedBytes } from './limits/buffered-bytes.js';
import { OpenStreams } from './limits/open-streams.js';
import { defaultLimits } from './limits/server-limits.js';
import { isLoopback, isWildcardAddress, urlOf, withListenHost } from './listen-host.js';
import { Metrics } from './metrics.js';
import { publicUrlFor } from './public-url.js';
import { SseSessions } from './sse-sessions.js';

export type { HttpOptions, Root } from './http-options.js';

export interface HttpServer {
  /** Where clients on this machine reach it, without a path. */
  readonly url: string;
  close(): Promise<void>;
}

const closeGraceMs = 2_000;
const headersTimeoutMs = 10_000;
/** Longer than proxies keep idle connections (60 s mostly), so that no request is sent into one that is being closed. */
const keepAliveMs = 75_000;
/** As many as systems allow: many slow connections must not keep others out. */
const backlog = 4_096;
const checkMs = 1_000;

export async function startHttpServer(options: HttpOptions): Promise<HttpServer> {
  const host = options.host ?? defaultHost;
  const { store, access = localAccessControl(), log = silentLogger, report = reportOnStderr } = options;
  if (!isLoopback(host) && !access.required)
    throw new TrellisError(
      'USAGE',
      `Without tokens, the server listens only on this machine, not on ${host}.`,
      { hint: `Use ${defaultHost}, localhost or ::1, or configure auth: see docs/access.md.` },
    );
  const limits = { ...defaultLimits, ...options.limits };
  const calls = new InFlight();
  const stop = new AbortController();
  const unsent = new BufferedBytes();
  const metrics = new Metrics(
    () => ({ calls: calls.running, writes: store.waitingWrites, unsent: unsent.total }),
    async () => ({
      embeddings: await embeddingHealth(store),
      languageModels: activeModelWriters(store).map(({ modelId, isUp }) => ({ id: modelId, isUp })),
    }),
    () => store.size(),
  );
  const denials = new DenialLog(access, (denied, request) => log.info({ request, ...denied }, 'denied'));
  const endpoints = new Endpoints({
    store,
    access,
    denials,
    stopping: stop.signal,
    report,
    warn: options.warn,
    readMs: limits.readMs,
    listeners: limits.streams,
    root: options.root ?? { graph: defaultGraph, surface: 'memory' },
    settings: options.settings,
    onCall(outcome, request) {
      metrics.countCall(outcome);
      const { metricName: _, surface, graph, ...logged } = outcome;
      const target = surface === serverSurface.name ? { surface } : { surface, graph };
      log.info({ request, ...target, ...logged }, 'call');
    },
    committed: (graph) => metrics.committed(graph),
    onRefused: (graph, refused) => metrics.refused(graph, refused),
    forgotten: (graph, branch) => void sse.forget(graph, branch),
  });
  const sse = new SseSessions({
    report,
    unsent,
    limits,
    requireGraph: (graph) => endpoints.requireGraph(graph),
  });
  await endpoints.openRoot();
  await endpoints.openQueries(await graphNames(store));
  const state: { stopping: boolean; url?: string } = { stopping: false };
  const admin = new GraphAdmin({
    store,
    access,
    denials,
    changed: (graph) => endpoints.forget(graph),
    listChanged: () => endpoints.graphsChanged(),
  });
  const allowed = withListenHost(host, options.allowed ?? { hosts: [], origins: [] });
  const app = buildApp({
    ...options,
    allowed,
    access,
    endpoints,
    admin,
    sse,
    streams: new OpenStreams({ limits, metrics }),
    metrics,
    log,
    report,
    limits,
    calls,
    unsent,
    state,
    publicUrlOf: (path) =>
      publicUrlFor(path, options.publicUrl ?? (isWildcardAddress(host) ? undefined : state.url)),
  });
  const server = nodeServer(app, limits.arrivalMs);
  const url = await listen(server, host, options.port ?? defaultPort);
  state.url = url;
  return {
    url,
    async close() {
      if (state.stopping) return;
      state.stopping = true;
      stop.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await calls.idle();
      await endConnections(
        server,
        async () => {
          await sse.close();
          await endpoints.close();
        },
        closed,
      );
    },
  };
}

function nodeServer({ fetch }: ReturnType<typeof buildApp>, arrivalMs: number): NodeServer {
  const server = createAdaptorServer({ fetch, serverOptions: { connectionsCheckingInterval: checkMs } });
  if (!('closeIdleConnections' in server)) throw new TrellisError('INTERNAL', 'Not an HTTP/1.1 server.');
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = arrivalMs;
  server.keepAliveTimeout = keepAliveMs;
  return server;
}

function listen(server: NodeServer, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)));
    server.listen(port, host.replace(/^\[|\]$/g, ''), backlog, () => {
      const address = server.address();
      const actual = typeof address === 'object' && address !== null ? address.port : port;
      resolve(urlOf(host, actual));
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

/** Responses being sent get a moment; then streams end, and what still hangs is cut. */
async function endConnections(
  server: NodeServer,
  endStreams: () => Promise<void>,
  closed: Promise<void>,
): Promise<void> {
  await delay(20);
  await endStreams();
  server.closeIdleConnections();
  await withTimeout(closed, closeGraceMs, () => {});
  server.closeAllConnections();
  await closed;
}
