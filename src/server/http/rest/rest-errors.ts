import type { Context, Hono } from 'hono';
import { TrellisError } from '../../../model/error.js';
import { publicError } from '../../../model/public-error.js';
import { listConflicts } from '../../../surfaces/graph/graph-merge-conflicts.js';
import type { AppOptions } from '../app.js';
import { statusOf } from '../http-errors.js';
import type { Env } from '../middleware.js';

export function handleRestErrors(app: Hono<Env>, { report, metrics }: AppOptions): Hono<Env> {
  return app.onError((thrown, context) => {
    const error = asRestError(publicError(thrown, { isRemote: true, report }));
    if (error.code === 'GRAPH_NOT_FOUND') metrics.denied('graph');
    return restFailure(context, error);
  });
}

/** Clients of the routes can read one shape of errors only. */
export function unknownRoute(context: Context): Response {
  const { method, path } = context.req;
  return restFailure(
    context,
    new TrellisError('NOT_FOUND', `There is no route ${method} ${path}.`, {
      hint: 'GET /openapi.json lists the routes; MCP is at /mcp and /graphs/{graph}/{surface}/mcp.',
    }),
  );
}

export function restFailure(context: Context, error: TrellisError): Response {
  const { code, message, hint } = error;
  const status = statusOf(error);
  if (status === 429) context.header('Retry-After', String(error.details?.['retryAfterSeconds'] ?? 5));
  return context.json(
    {
      error: {
        ...{ code, message, ...(hint === undefined ? {} : { hint }) },
        ...{ ...listConflicts(error), ...errorFacts(error) },
      },
      ...preconditionFailure(error),
    },
    status,
  );
}

/** As clients of Omnigraph look for it. */
function preconditionFailure({ code, details }: TrellisError): object {
  if (code !== 'HEAD_MOVED' || details === undefined) return {};
  return { precondition_failure: { expected: details['expected'], actual: details['head'] } };
}

function errorFacts({ details = {} }: TrellisError): Record<string, unknown> {
  return Object.fromEntries(
    ['line', 'problems', 'steps', 'queries', 'changed_by', 'expected', 'head', 'changed', 'more'].flatMap(
      (key) => (key in details ? [[key, details[key]]] : []),
    ),
  );
}

/** Routes are public, so an actor who may not use one learns that. */
export function asRestError(error: TrellisError): TrellisError {
  if (error.code !== 'UNKNOWN_TOOL') return error;
  return new TrellisError('FORBIDDEN', 'You may not do this here.', {
    hint: 'Ask the operator of the server for a grant; trellis policy explain shows what is missing.',
    cause: error,
  });
}
