import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { challenge, protectedResource, resourceMetadataUrl } from '../../access/challenge.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { parseJsonOrUndefined } from '../../model/json.js';
import { publicError } from '../../model/public-error.js';
import { errorText } from '../../surfaces/dispatch.js';
import { allowCrossOrigin } from './cors.js';
import type { Endpoint } from './endpoint.js';
import type { Endpoints } from './endpoints.js';
import { mountExplorer } from './explorer-files.js';
import type { GraphAdmin } from './graph-admin.js';
import { mountHealthRoutes } from './health-routes.js';
import { invalidRequest, parseError, rpcError, statusOf } from './http-errors.js';
import type { HttpOptions } from './http-options.js';
import { LargeResults } from './large-results.js';
import { readBody } from './limits/json-body.js';
import { limitArrivingBodies } from './limits/limit-arriving-bodies.js';
import { type LoadLimitOptions, limitUnsentResponses } from './limits/limit-unsent-responses.js';
import type { OpenStreams } from './limits/open-streams.js';
import { rateLimit } from './limits/rate-limit.js';
import {
  authenticateRequests,
  checkHostAndPath,
  type Env,
  type MiddlewareOptions,
  observeRequests,
  startInSlices,
} from './middleware.js';
import { changeStreamRoute } from './rest/change-stream.js';
import { graphRoutes } from './rest/graph-routes.js';
import { graphToolRoutes } from './rest/graph-tool-routes.js';
import { asRestError, restFailure, unknownRoute } from './rest/rest-errors.js';
import { checkParameters } from './rest/route-arguments.js';
import { streamRoutes } from './rest/stream-routes.js';
import { signInRoutes } from './sign-in-routes.js';
import type { SseSessions } from './sse-sessions.js';
import { isListenRequest } from './subscription-listeners.js';
import { branchInRequest, graphInPath, workspaceHeader, workspaceInHeader } from './surface-address.js';

export interface AppOptions
  extends MiddlewareOptions,
    LoadLimitOptions,
    Pick<HttpOptions, 'publicUrl' | 'store' | 'heartbeatMs'> {
  readonly endpoints: Endpoints;
  readonly admin: GraphAdmin;
  readonly sse: SseSessions;
  readonly streams: OpenStreams;
  readonly publicUrlOf: (path: string) => URL | undefined;
  readonly report: (error: unknown) => void;
}

type HttpContext = Context<Env>;

const workspaceSurface = 'workspace';
const wellKnown = '/.well-known/oauth-protected-resource';

export function buildApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(
    startInSlices(),
    observeRequests(options),
    limitUnsentResponses(options),
    checkHostAndPath(options),
    allowCrossOrigin(),
  );
  mountHealthRoutes(app, options);
  app.get('/openapi.json', async (context) => {
    // Few ask for it, and it takes the tools of the graph surface.
    const { openApiDocument } = await import('./openapi/openapi-document.js');
    return context.json(openApiDocument(options.publicUrl));
  });
  app.get(`${wellKnown}/*`, (context) => describeResource(context, options));
  app.get(wellKnown, (context) => describeResource(context, options));
  mountExplorer(app);
  app.route('/sign-in', signInRoutes(options));
  app.use(authenticateRequests(options), limitArrivingBodies(options), rateLimit(options));
  app.get('/metrics', async (context) =>
    context.text(
      await options.metrics.textFor((graph) => options.access.canSee(context.var.origin.actor, graph)),
      200,
      { 'Content-Type': options.metrics.contentType },
    ),
  );
  mountMcpRoutes(app, options);
  mountSseRoutes(app, options);
  app.route('/graphs/:graph', changeStreamRoute(options));
  app.route('/graphs/:graph', graphToolRoutes(options));
  app.route('/graphs/:graph', streamRoutes(options));
  app.route('/', graphRoutes(options));
  app.notFound((context) =>
    isMcpPath(context.req.path)
      ? context.json(rpcError('Not found. MCP is at /mcp and /graphs/{graph}/{surface}/mcp.'), 404)
      : unknownRoute(context),
  );
  app.onError((thrown, context) => {
    const error = publicError(thrown, { isRemote: true, report: options.report });
    if (error.code === 'GRAPH_NOT_FOUND') options.metrics.denied('graph');
    if (error.code === 'UNAUTHENTICATED') {
      const resource = options.publicUrlOf(rawPath(context));
      const metadata = resource === undefined ? undefined : resourceMetadataUrl(resource);
      context.header('WWW-Authenticate', challenge(error, metadata));
    }
    const retryAfter = error.details?.['retryAfterSeconds'];
    if (typeof retryAfter === 'number') context.header('Retry-After', String(retryAfter));
    if (!isMcpPath(context.req.path)) return restFailure(context, asRestError(error));
    return context.json(rpcError(errorText(error)), statusOf(error));
  });
  return app;
}

/** Everywhere else, clients read the errors of plain HTTP. */
function isMcpPath(path: string): boolean {
  return /\/(mcp|sse)(\/|$)/.test(path);
}

/** Not decoded: a `%5C` would separate segments in a URL made of it. */
function rawPath({ env, req }: HttpContext): string {
  const [path = req.path] = (env.incoming.url ?? req.path).split(/[?#]/, 1);
  return path;
}

function describeResource(
  context: HttpContext,
  { access, publicUrlOf }: AppOptions,
): Response | Promise<Response> {
  if (!access.required) return context.json(rpcError('This server does not require tokens.'), 404);
  const path = rawPath(context);
  if (!path.startsWith(wellKnown)) return context.notFound();
  const resource = publicUrlOf(path.slice(wellKnown.length));
  if (resource === undefined) {
    const message = 'The server does not know its public address. Its operator can set server.public_url.';
    return context.json(rpcError(message), 404);
  }
  return context.json(protectedResource(resource, access.issuers));
}

function mountMcpRoutes(app: Hono<Env>, options: AppOptions): void {
  const { endpoints } = options;
  const answer = async (context: HttpContext, open: () => Promise<Endpoint>) => {
    const message = parseJsonOrUndefined(await readBody(context, options.limits.depth));
    if (message === undefined) return context.json(rpcError('The body is not JSON.', parseError), 400);
    const problem = batchProblem(message);
    if (problem !== undefined) return context.json(rpcError(problem, invalidRequest), 400);
    await context.var.admit(countRequests(message));
    const endpoint = await open();
    if (isListenRequest(message)) {
      options.streams.admit(context.var.origin.actor.id, context.env.outgoing);
      context.set('isStreamed', true);
      context.set('isListening', true);
    }
    const large = new LargeResults();
    const response = await endpoint.respond(context.req.raw, context.var.origin, message, (result) =>
      large.replace(result),
    );
    if (!large.isEmpty) context.set('bodyChunks', await large.restore(await response.clone().text()));
    return response;
  };
  app.post('/mcp', (context) => {
    const graph = workspaceInHeader(context.req);
    const branch = branchOf(context);
    if (graph === undefined) return answer(context, () => endpoints.root(branch, context.var.origin));
    const address = { graph, branch, surface: workspaceSurface };
    return answer(context, () => endpoints.at(address, context.var.origin));
  });
  app.post('/graphs/:graph/mcp', (context) => {
    const address = { graph: graphInPath(context.req), branch: branchOf(context), surface: 'graph' };
    return answer(context, () => endpoints.at(address, context.var.origin));
  });
  app.post('/graphs/:graph/:surface/mcp', (context) => {
    const { surface } = context.req.param();
    const address = { graph: graphInPath(context.req), branch: branchOf(context), surface };
    return answer(context, () => endpoints.at(address, context.var.origin));
  });
  for (const path of ['/mcp', '/graphs/:graph/mcp', '/graphs/:graph/:surface/mcp'])
    app.all(path, (context) =>
      context.json(rpcError('Method not allowed: use POST.'), 405, { Allow: 'POST' }),
    );
}

function mountSseRoutes(app: Hono<Env>, { endpoints, sse, limits, streams }: AppOptions): void {
  app.get('/sse', async (context) => {
    const graph = workspaceInHeader(context.req);
    if (graph === undefined) return missingWorkspace(context);
    const address = { graph, branch: branchOf(context), surface: workspaceSurface };
    const { origin } = context.var;
    const endpoint = await endpoints.at(address, origin);
    const opened = await endpoint.contextFor(origin);
    streams.admit(origin.actor.id, context.env.outgoing);
    context.set('isStreamed', true);
    context.set('isListening', true);
    await sse.open(opened, graph, context.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  app.post('/sse/messages/', async (context) => {
    const workspace = workspaceInHeader(context.req);
    if (workspace === undefined) return missingWorkspace(context);
    const body = parseJsonOrUndefined(await readBody(context, limits.depth));
    if (body === undefined) throw new TrellisError('INVALID_ARGUMENT', 'The body is not JSON.');
    await context.var.admit();
    const sessionId = context.req.query('sessionId') ?? '';
    await sse.receive({ origin: context.var.origin, sessionId, workspace, body }, context.env);
    return RESPONSE_ALREADY_SENT;
  });
}

function branchOf({ req }: HttpContext): string {
  checkParameters(req.queries(), ['branch']);
  return branchInRequest(req) ?? mainBranch;
}

function missingWorkspace(context: HttpContext): Response {
  return context.json({ error: `Missing required header: ${workspaceHeader}` }, 400);
}

function countRequests(message: unknown): number {
  return Array.isArray(message) ? Math.max(1, message.filter(isRequest).length) : 1;
}

function batchProblem(message: unknown): string | undefined {
  if (!Array.isArray(message)) return undefined;
  if (message.length === 0) return 'The batch is empty.';
  const ids = message.filter(isRequest).map(({ id }) => JSON.stringify(id));
  return new Set(ids).size === ids.length ? undefined : 'Two requests of the batch have the same id.';
}

function isRequest(message: unknown): message is { readonly id: unknown } {
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
}
