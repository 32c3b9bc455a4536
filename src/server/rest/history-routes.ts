import { type Context, Hono } from 'hono';
import { asTrellisError, TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph.js';
import type { AppOptions } from '../app.js';
import { parsedOrUndefined, readBody } from '../limits/json-body.js';
import type { Env } from '../middleware.js';
import { asRestError, restFailure } from './rest-errors.js';

type Arguments = Readonly<Record<string, unknown>>;
type ArgumentsOf = (context: Context<Env>, options: AppOptions) => Promise<Arguments> | Arguments;

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/graphs/{graph}`. */
  readonly path: string;
  readonly tool: string;
  readonly args: ArgumentsOf;
}

/** Branches and commits as plain HTTP: each route is a tool of the graph surface, under the same permissions. */
const routes: readonly Route[] = [
  { method: 'GET', path: 'snapshot', tool: 'snapshot', args: query('branch') },
  { method: 'GET', path: 'branches', tool: 'branches_list', args: () => ({}) },
  { method: 'POST', path: 'branches', tool: 'branches_create', args: body },
  { method: 'POST', path: 'branches/merge', tool: 'branches_merge', args: body },
  { method: 'DELETE', path: 'branches/:name{.+}', tool: 'branches_delete', args: parameter('name', 'name') },
  { method: 'GET', path: 'commits', tool: 'commits_list', args: query('branch', 'limit', 'cursor') },
  { method: 'GET', path: 'commits/:id', tool: 'commits_get', args: parameter('id', 'commit_id') },
];

/** The routes, to be mounted at `/graphs/:graph`. */
export function historyRoutes(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  for (const { method, path, tool, args } of routes) {
    app.on(method, `/${path}`, async (context) => {
      const { actor, requestId } = context.var;
      const place = { graph: context.req.param('graph') ?? '', branch: mainBranch, surface: 'graph' };
      const given = await args(context, options);
      const { structured } = await options.endpoints.run(place, { actor, requestId }, tool, given);
      return context.json(structured);
    });
  }
  app.onError((thrown, context) => {
    const error = asRestError(asTrellisError(thrown));
    if (error.code === 'INTERNAL') options.report(thrown);
    if (error.code === 'GRAPH_NOT_FOUND') options.metrics.denied('graph');
    return restFailure(context, error);
  });
  return app;
}

/** What the address asks for by name; a number is one, whatever it is written like. */
function query(...names: readonly string[]): ArgumentsOf {
  return ({ req }) => {
    const given = names.flatMap((name): [string, unknown][] => {
      const value = req.query(name);
      if (value === undefined) return [];
      return [[name, name === 'limit' ? Number(value) : value]];
    });
    return Object.fromEntries(given);
  };
}

function parameter(name: string, argument: string): ArgumentsOf {
  return ({ req }) => ({ [argument]: req.param(name) });
}

async function body({ req }: Context<Env>, { limits }: AppOptions): Promise<Arguments> {
  const given = parsedOrUndefined(await readBody(req.raw, limits.depth));
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given };
  throw new TrellisError('INVALID_ARGUMENT', 'The body is no JSON object.', {
    hint: 'Send the arguments as an object, such as {"name": "review"}.',
  });
}
