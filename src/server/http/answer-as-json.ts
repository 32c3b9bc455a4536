import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { accepts } from './accepts.js';
import type { authInfoOf } from './http-caller.js';
import { rpcError } from './http-errors.js';

interface Exchange {
  readonly message: unknown;
  readonly authInfo: ReturnType<typeof authInfoOf>;
}

/** A client that hung up is sent nothing; the status is for the log. */
const hungUpStatus = 499;

/**
 * Answers one POST of the 2025 protocol as JSON, with a server made for it alone. Nothing is ever streamed to a client of
 * that protocol, so it is not made to read an event stream, nor to accept one.
 */
export async function answerAsJson(
  server: Server,
  request: Request,
  { message, authInfo }: Exchange,
): Promise<Response> {
  if (!accepts(request.headers.get('accept'), 'application/json')) {
    return Response.json(rpcError('Answers are JSON: send Accept: application/json.'), { status: 406 });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const answered = transport.handleRequest(acceptingEverything(request), {
      parsedBody: withoutCancellations(message),
      authInfo,
    });
    // The transport forgets a request whose client is gone, without ever settling it.
    return await Promise.race([answered, hangUp(request.signal)]);
  } finally {
    await server.close();
  }
}

/** The same request, without its body: the transport insists that a client accepts event streams too. */
function acceptingEverything({ url, method, headers }: Request): Request {
  const accepting = new Headers(headers);
  accepting.set('accept', 'application/json, text/event-stream');
  accepting.delete('content-length');
  return new Request(url, { method, headers: accepting });
}

/** A cancelled request gets no answer, so a batch that cancels a request of its own would be waited for without end. */
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

function hangUp(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const gone = () => resolve(new Response(null, { status: hungUpStatus }));
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  });
}
