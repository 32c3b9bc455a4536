import { Hono } from 'hono';
import type { AppOptions } from '../app.js';
import type { Env } from '../middleware.js';
import { type ArgumentSource, allArguments, body, nothing, parameter, query } from './arguments.js';
import { callerOf, placeOf } from './caller.js';
import { answerRestErrors } from './rest-errors.js';

/** A tool of the graph surface as plain HTTP, under the same permissions. */
export interface ToolRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/graphs/{graph}`. */
  readonly path: string;
  readonly tool: string;
  readonly args: readonly ArgumentSource[];
}

/** Schema, queries, branches and commits as plain HTTP: each route is a tool of the graph surface, under the same permissions. */
export const toolRoutes: readonly ToolRoute[] = [
  { method: 'GET', path: 'snapshot', tool: 'snapshot', args: [query('branch')] },
  { method: 'GET', path: 'schema', tool: 'schema_get', args: [query('branch', 'snapshot')] },
  { method: 'POST', path: 'schema/apply', tool: 'schema_apply', args: [body] },
  { method: 'POST', path: 'query', tool: 'query', args: [body] },
  { method: 'POST', path: 'mutate', tool: 'mutate', args: [body] },
  { method: 'GET', path: 'queries', tool: 'queries_list', args: [nothing] },
  { method: 'POST', path: 'queries/:name', tool: 'queries_run', args: [body, parameter('name')] },
  { method: 'GET', path: 'branches', tool: 'branches_list', args: [nothing] },
  { method: 'POST', path: 'branches', tool: 'branches_create', args: [body] },
  { method: 'POST', path: 'branches/merge', tool: 'branches_merge', args: [body] },
  { method: 'DELETE', path: 'branches/:name{.+}', tool: 'branches_delete', args: [parameter('name')] },
  { method: 'GET', path: 'commits', tool: 'commits_list', args: [query('branch', 'limit', 'cursor')] },
  { method: 'GET', path: 'commits/:id', tool: 'commits_get', args: [parameter('id', 'commit_id')] },
];

/** The routes, to be mounted at `/graphs/:graph`. */
export function historyRoutes(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  for (const { method, path, tool, args } of toolRoutes) {
    app.on(method, `/${path}`, async (context) => {
      const given = await allArguments(context, args, options.limits.depth);
      const { structured } = await options.endpoints.run(placeOf(context), callerOf(context), tool, given);
      return context.json(structured);
    });
  }
  return answerRestErrors(app, options);
}
