import {
  type AuthInfo,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { sessionIdFor } from '../client-label.js';
import { declaresApps } from '../explorer-app.js';
import { accepts } from './accept-header.js';
import { rpcError } from './http-errors.js';

interface LegacyPost {
  readonly message: unknown;
  readonly authInfo: AuthInfo;
}

/** The client is gone; the status is for the log. */
const clientClosedStatus = 499;

/** Responds with JSON, using a server made for this request alone: nothing is streamed to clients of the 2025 protocol. */
export async function handleLegacyPost(
  server: Server,
  request: Request,
  { message, authInfo }: LegacyPost,
): Promise<Response> {
  if (!accepts(request.headers.get('accept'), 'application/json'))
    return Response.json(rpcError('Responses are JSON: send Accept: application/json.'), { status: 406 });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const answered = transport.handleRequest(withPermissiveAccept(request), {
      parsedBody: withoutCancellations(message),
      authInfo,
    });
    // The transport forgets a request whose client is gone, without ever settling it.
    const response = await Promise.race([answered, clientDisconnected(request.signal)]);
    const client = server.getClientVersion();
    if (client !== undefined) {
      const showsApps = declaresApps(server.getClientCapabilities());
      response.headers.set('Mcp-Session-Id', sessionIdFor(client, showsApps));
    }
    return response;
  } finally {
    await server.close();
  }
}

/** The transport insists that clients accept event streams too. */
function withPermissiveAccept({ url, method, headers }: Request): Request {
  const accepting = new Headers(headers);
  accepting.set('accept', 'application/json, text/event-stream');
  accepting.delete('content-length');
  return new Request(url, { method, headers: accepting });
}

/** A cancelled request gets no response, so a batch that cancels a request of its own would never finish. */
function withoutCancellations(message: unknown): unknown {
  return Array.isArray(message) ? message.filter((one) => !isCancellation(one)) : message;
}

function isCancellation(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'notifications/cancelled'
  );
}

function clientDisconnected(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const gone = () => resolve(new Response(null, { status: clientClosedStatus }));
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  });
}
