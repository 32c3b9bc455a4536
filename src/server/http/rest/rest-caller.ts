import type { Context } from 'hono';
import { mainBranch } from '../../../model/graph-record.js';
import type { SurfaceAddress } from '../endpoints.js';
import { branchHeader, branchInRequest, graphInPath } from '../graph-headers.js';
import type { HttpCaller } from '../http-caller.js';
import type { Env } from '../middleware.js';

/** Who sent a request, and whether they still wait for its answer. */
export function httpCallerOf({ req, var: { actor, requestId, calls } }: Context<Env>): HttpCaller {
  return { actor, requestId, calls, signal: req.raw.signal };
}

/**
 * What a route below `/graphs/:graph` is about, unless its arguments name another branch. One in the address is such an
 * argument, and may be yet to be made; it must not contradict the header.
 */
export function surfaceAddressOf({ req }: Context<Env>): SurfaceAddress {
  branchInRequest(req);
  return {
    graph: graphInPath(req),
    branch: req.header(branchHeader) ?? mainBranch,
    surface: 'graph',
  };
}
