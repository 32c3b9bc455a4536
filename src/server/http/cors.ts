import type { MiddlewareHandler } from 'hono';
import type { Env } from './middleware.js';

/** What a page may ask with: the methods of the routes, and what requests say about themselves. */
const methods = 'GET, POST, PATCH, DELETE';
const requestHeaders = [
  ...['Authorization', 'Content-Type', 'Accept', 'Last-Event-ID', 'X-Request-Id'],
  ...['X-Memory-Workspace', 'X-Trellis-Branch'],
  // Those of the protocol, in both its versions.
  ...['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name'],
].join(', ');
const exposedHeaders = 'X-Request-Id, Retry-After, WWW-Authenticate';
/** Seconds for which a browser need not ask again. */
const preflightMaxAge = '600';

/**
 * Tells browsers that a page may read the answers. It stands behind the check of the page's address, so whoever gets here
 * may. A browser asks before it sends a request of this kind, without a token, and is answered here.
 */
export function allowCrossOrigin(): MiddlewareHandler<Env> {
  return async (context, next) => {
    const origin = context.req.header('origin');
    if (origin === undefined) return next();
    // On the response itself, since a stream sends its head without passing here again.
    const { outgoing } = context.env;
    outgoing.setHeader('Access-Control-Allow-Origin', origin);
    outgoing.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    outgoing.setHeader('Vary', 'Origin');
    const isQuestion =
      context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') !== undefined;
    if (!isQuestion) return next();
    return context.body(null, 204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': preflightMaxAge,
    });
  };
}
