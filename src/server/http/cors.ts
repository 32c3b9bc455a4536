import type { MiddlewareHandler } from 'hono';
import type { Env } from './middleware.js';

const methods = 'GET, POST, PATCH, DELETE';
const requestHeaders = [
  ...['Authorization', 'Content-Type', 'Accept', 'Last-Event-ID', 'X-Request-Id'],
  ...['If-Match', 'Omnigraph-If-Graph-Commit'],
  ...['X-Memory-Workspace', 'X-Trellis-Branch'],
  // Those of the protocol, in both its versions.
  ...['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name'],
].join(', ');
const exposedHeaders = 'Mcp-Session-Id, X-Request-Id, Retry-After, WWW-Authenticate';
const preflightMaxAge = '600';

/** Runs after the check of Origin, so pages that get here may read responses. Preflight requests carry no token. */
export function allowCrossOrigin(): MiddlewareHandler<Env> {
  return async (context, next) => {
    const origin = context.req.header('origin');
    if (origin === undefined) return next();
    // On the response itself: a stream sends its headers without passing here again.
    const { outgoing } = context.env;
    outgoing.setHeader('Access-Control-Allow-Origin', origin);
    outgoing.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    outgoing.setHeader('Vary', 'Origin');
    const isPreflight =
      context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') !== undefined;
    if (!isPreflight) return next();
    return context.body(null, 204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': preflightMaxAge,
    });
  };
}
