import type { Context } from 'hono';
import { TrellisError } from '../../model/error.js';
import { conflictsOf } from '../../surfaces/graph/conflicts.js';
import { statusOf } from '../http-errors.js';

/** Answers an error as the routes do that are no MCP: its code and words, and of a refused merge the conflicts. */
export function restFailure(context: Context, error: TrellisError): Response {
  const { code, message, hint } = error;
  return context.json(
    { error: { code, message, ...(hint === undefined ? {} : { hint }), ...conflictsOf(error) } },
    statusOf(error),
  );
}

/** A route is no secret, so what hides a tool from an agent is said here: the actor may not use it. */
export function asRestError(error: TrellisError): TrellisError {
  if (error.code !== 'UNKNOWN_TOOL') return error;
  return new TrellisError('FORBIDDEN', 'You may not do this here.', {
    hint: 'Ask whoever runs the server for a grant; trellis policy explain says what is missing.',
    cause: error,
  });
}
