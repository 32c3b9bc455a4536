import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { reasonWithCause } from '../../access/oidc/remote-document.js';
import { InFlight } from '../../bounds/in-flight.js';
import { TrellisError } from '../../model/error.js';
import { RequestOrigin } from '../../surfaces/request-context.js';
import { parseArguments } from '../../surfaces/tool-arguments.js';
import type { AppOptions } from './app.js';
import { limitArrivingBodies } from './limits/limit-arriving-bodies.js';
import { rateLimit } from './limits/rate-limit.js';
import type { Env } from './middleware.js';
import { publicUrlFor } from './public-url.js';
import { handleRestErrors } from './rest/rest-errors.js';
import { bodyArguments, noArguments, readAllArguments } from './rest/route-arguments.js';

/** RFC 6749 and RFC 7636. */
const answerShape = z.object({
  code: z.string().regex(/^[\x20-\x7e]{1,8192}$/),
  code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
  nonce: z.string().regex(/^[\w-]{16,128}$/),
});

/** Every one of them may lead to a request to the identity provider. */
const mostPerMinute = 600;

/** How a person without a token gets one, for the explorer. */
export function signInRoutes(options: AppOptions): Hono<Env> {
  const { access, limits, log, metrics } = options;
  const app = handleRestErrors(new Hono<Env>(), options);
  const requestsPerMinute = Math.min(limits.requestsPerMinute, mostPerMinute);
  app.use(
    asVisitor(options),
    limitArrivingBodies(options),
    rateLimit({ ...options, limits: { ...limits, requestsPerMinute } }),
  );
  app.get('/', async (context) => {
    await readAllArguments(context, [noArguments], limits.depth);
    if (access.signIn === undefined) return context.json({});
    const provider = await access.signIn.describe();
    return context.json({ provider: { ...provider, redirect_uri: pageUrl(context, options) } });
  });
  app.post('/', async (context) => {
    const given = await readAllArguments(context, [bodyArguments], limits.depth);
    const { code, code_verifier, nonce } = parseArguments(answerShape, 'sign-in', given);
    if (access.signIn === undefined)
      throw new TrellisError('NOT_FOUND', 'Nobody signs in here with an identity provider.', {
        hint: 'Sign in with a token. The operator can set auth.oidc.client_id.',
      });
    const redirectUri = pageUrl(context, options);
    requireOwnPage(context, redirectUri);
    try {
      const answer = { code, codeVerifier: code_verifier, nonce, redirectUri };
      return context.json({ token: await access.signIn.exchange(answer) });
    } catch (error) {
      metrics.denied('unauthenticated');
      const reason = reasonWithCause(error instanceof Error ? error.cause : error);
      log.warn({ request: context.var.requestId, reason }, 'sign-in failed');
      throw error;
    }
  });
  return app;
}

/** Budgets of people without a token count by address. */
function asVisitor({ calls }: AppOptions): MiddlewareHandler<Env> {
  return (context, next) => {
    const id = `visitor ${context.env.incoming.socket.remoteAddress ?? 'unknown'}`;
    const actor = { id, groups: [], scopes: [], source: 'visitor' as const };
    const { requestId } = context.var;
    context.set('origin', new RequestOrigin(actor, requestId, new InFlight(calls), context.req.raw.signal));
    return next();
  };
}

/** As configured, or the name that the request used, which `checkHostAndPath` found among the allowed ones. */
function pageUrl({ req }: Context<Env>, { publicUrl }: AppOptions): string {
  const configured = publicUrlFor('/', publicUrl);
  return configured?.href ?? `${new URL(`http://${req.header('host')}`).origin}/`;
}

/** Stricter than elsewhere: no other page has begun a sign-in, even if it may call this server. */
function requireOwnPage({ req }: Context<Env>, page: string): void {
  const origin = req.header('origin');
  if (origin === undefined || origin === new URL(page).origin) return;
  throw new TrellisError('FORBIDDEN', 'Only the page of this server can finish a sign-in.', {
    hint: `Open ${page} and sign in there.`,
  });
}
