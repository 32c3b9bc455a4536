import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { InFlight } from '../../bounds/in-flight.js';
import type { Graph } from '../../engine/graph.js';
import { TrellisError } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import type { RequestContext, RequestOrigin } from '../../surfaces/request-context.js';
import type { ResourceDependency, Surface } from '../../surfaces/surface.js';
import { clientInSession } from '../client-label.js';
import { createMcpServer, originIn, type ShortenResult, toAuthInfo } from '../mcp-server.js';
import { affectedResources, onResourceChange } from '../resource-updates.js';
import { handleLegacyPost } from './legacy-post.js';
import { isListenRequest, SubscriptionListeners } from './subscription-listeners.js';

export interface Endpoint {
  /** With JSON, unless the message asks to listen for changes. */
  respond(
    request: Request,
    origin: RequestOrigin,
    message: unknown,
    shorten?: ShortenResult,
  ): Promise<Response>;
  contextFor(origin: RequestOrigin): Promise<RequestContext>;
  graphsChanged(): void;
  close(): Promise<void>;
}

interface EndpointOptions extends Pick<Endpoint, 'contextFor'> {
  readonly surface: Surface;
  readonly graph: Graph;
  readonly listeners: number;
  readonly report: (error: unknown) => void;
}

export function openEndpoint(options: EndpointOptions): Endpoint {
  const { surface, graph, contextFor, report } = options;
  const handler = createMcpHandler(
    async ({ authInfo }) => {
      const origin = originIn(authInfo);
      if (origin === undefined)
        throw new TrellisError('INTERNAL', 'A request reached the protocol without an actor.');
      return createMcpServer(await contextFor(origin), 'elsewhere');
    },
    {
      legacy: 'reject',
      maxRequestBodySize: limits.requestBytes,
      maxSubscriptions: options.listeners,
      onerror: report,
    },
  );
  const listeners = new SubscriptionListeners();
  const running = new InFlight();
  const notify = (kinds: readonly ResourceDependency[]) => {
    listeners.endUnauthorized();
    for (const { uri } of affectedResources(surface.resources, kinds)) handler.notify.resourceUpdated(uri);
  };
  const stopUpdates = onResourceChange(graph, notify);
  const stopTools = surface.onToolsChanged?.(() => handler.notify.toolsChanged());
  return {
    contextFor,
    graphsChanged: () => notify(['graphs']),
    respond: (request, origin, message, shorten) =>
      running.track(async () => {
        const authInfo = toAuthInfo(origin, shorten);
        if (await isLegacyRequest(request, message)) {
          const client = clientInSession(request.headers.get('mcp-session-id'));
          const server = createMcpServer({ ...(await contextFor(origin)), ...client }, 'never');
          return handleLegacyPost(server, request, { message, authInfo });
        }
        const respond = (parsedBody: unknown) => handler.fetch(request, { authInfo, parsedBody });
        if (!isListenRequest(message)) return respond(message);
        return listeners.serve(await contextFor(origin), message, respond);
      }),
    async close() {
      stopUpdates();
      stopTools?.();
      // A call may be what closes this endpoint, by deleting its branch; it is answered first.
      await running.idle();
      await handler.close();
      await surface.close?.();
    },
  };
}
