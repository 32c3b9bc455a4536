import { Hono } from 'hono';
import type { AppOptions } from '../app.js';
import type { Env } from '../middleware.js';
import { surfaceAddressOf } from '../surface-address.js';
import { changesArguments } from './change-stream.js';
import { handleRestErrors } from './rest-errors.js';
import {
  type ArgumentSource,
  bodyArguments,
  condition,
  noArguments,
  pathArgument,
  queryArguments,
  readAllArguments,
  requiredCondition,
} from './route-arguments.js';

export interface ToolRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/graphs/{graph}`. */
  readonly path: string;
  readonly tool: string;
  readonly args: readonly ArgumentSource[];
  /** Tells a second route to a tool from the first; the first has its name in OpenAPI. */
  readonly id?: string;
  /** Whether clients can also get it as a stream of events. */
  readonly streams?: true;
}

export const toolRouteTable: readonly ToolRoute[] = [
  { method: 'GET', path: 'snapshot', tool: 'snapshot', args: [queryArguments('branch')] },
  { method: 'GET', path: 'access', tool: 'people_access', args: [queryArguments('branch')] },
  { method: 'GET', path: 'schema', tool: 'schema_get', args: [queryArguments('branch', 'snapshot')] },
  {
    method: 'GET',
    path: 'nodes',
    tool: 'people_nodes',
    args: [queryArguments('type', 'tag', 'limit', 'cursor', 'branch', 'snapshot')],
  },
  {
    method: 'GET',
    path: 'nodes/:name/history',
    tool: 'people_history',
    args: [pathArgument('name'), queryArguments('type', 'branch', 'limit', 'cursor')],
  },
  {
    method: 'GET',
    path: 'nodes/:name',
    tool: 'people_node',
    args: [pathArgument('name'), queryArguments('type', 'blame', 'branch', 'snapshot')],
  },
  // URLs drop the path segments . and .., even if encoded, but nodes may have these names.
  {
    method: 'GET',
    path: 'node',
    tool: 'people_node',
    id: 'people_node_by_query',
    args: [queryArguments('name', 'type', 'blame', 'branch', 'snapshot')],
  },
  {
    method: 'GET',
    path: 'node/history',
    tool: 'people_history',
    id: 'people_history_by_query',
    args: [queryArguments('name', 'type', 'branch', 'limit', 'cursor')],
  },
  {
    method: 'GET',
    path: 'search',
    tool: 'people_search',
    args: [
      queryArguments(
        ...['q', 'mode', 'type', 'tag', 'actor', 'since', 'until', 'min_confidence'],
        ...['limit', 'cursor', 'branch'],
      ),
    ],
  },
  {
    method: 'GET',
    path: 'recent',
    tool: 'people_recent',
    args: [queryArguments('since', 'actor', 'limit', 'cursor', 'branch')],
  },
  { method: 'GET', path: 'diff', tool: 'diff', args: [queryArguments('from', 'to')] },
  { method: 'POST', path: 'undo', tool: 'undo', args: [bodyArguments] },
  { method: 'POST', path: 'edit', tool: 'edit', args: [bodyArguments] },
  {
    method: 'GET',
    path: 'neighborhood',
    tool: 'people_neighborhood',
    args: [queryArguments('name', 'type', 'depth', 'limit', 'relation', 'branch')],
  },
  {
    method: 'GET',
    path: 'path',
    tool: 'people_path',
    args: [queryArguments('from', 'from_type', 'to', 'to_type', 'branch')],
  },
  {
    method: 'GET',
    path: 'findings',
    tool: 'people_findings',
    args: [queryArguments('limit', 'max_nodes', 'branch')],
  },
  { method: 'GET', path: 'types', tool: 'people_types', args: [queryArguments('branch')] },
  { method: 'GET', path: 'stats', tool: 'people_stats', args: [queryArguments('branch')] },
  {
    method: 'GET',
    path: 'gate/registry',
    tool: 'people_gate_registry',
    args: [queryArguments('branch')],
  },
  { method: 'POST', path: 'gate/registry', tool: 'gate_schema_add', args: [bodyArguments] },
  {
    method: 'DELETE',
    path: 'gate/registry',
    tool: 'gate_schema_remove',
    args: [queryArguments('name', 'branch', 'message')],
  },
  {
    method: 'GET',
    path: 'gate/rejections',
    tool: 'people_gate_rejections',
    args: [queryArguments('since', 'code', 'limit', 'cursor', 'branch')],
  },
  { method: 'GET', path: 'gate/drift', tool: 'people_gate_drift', args: [queryArguments('branch')] },
  { method: 'POST', path: 'schema/apply', tool: 'schema_apply', args: [bodyArguments, condition] },
  { method: 'POST', path: 'query', tool: 'query', args: [bodyArguments] },
  { method: 'POST', path: 'mutate', tool: 'mutate', args: [bodyArguments, condition] },
  {
    method: 'POST',
    path: 'mutate/if-graph-commit',
    tool: 'mutate',
    id: 'mutate_if_graph_commit',
    args: [bodyArguments, requiredCondition],
  },
  // Older names, which clients of Omnigraph use.
  { method: 'POST', path: 'read', tool: 'query', id: 'read', args: [bodyArguments] },
  { method: 'POST', path: 'change', tool: 'mutate', id: 'change', args: [bodyArguments, condition] },
  { method: 'GET', path: 'queries', tool: 'queries_list', args: [noArguments] },
  {
    method: 'POST',
    path: 'queries/:name',
    tool: 'queries_run',
    args: [bodyArguments, pathArgument('name'), condition],
  },
  {
    method: 'POST',
    path: 'queries/:name/if-graph-commit',
    tool: 'queries_run',
    id: 'queries_run_if_graph_commit',
    args: [bodyArguments, pathArgument('name'), requiredCondition],
  },
  { method: 'GET', path: 'branches', tool: 'branches_list', args: [noArguments] },
  { method: 'GET', path: 'branches/details', tool: 'people_branches', args: [noArguments] },
  { method: 'POST', path: 'branches', tool: 'branches_create', args: [bodyArguments] },
  { method: 'POST', path: 'branches/merge', tool: 'branches_merge', args: [bodyArguments, condition] },
  { method: 'POST', path: 'branches/merge/preview', tool: 'people_merge_preview', args: [bodyArguments] },
  { method: 'DELETE', path: 'branches/:name{.+}', tool: 'branches_delete', args: [pathArgument('name')] },
  {
    method: 'GET',
    path: 'commits',
    tool: 'commits_list',
    args: [
      queryArguments(
        ...['branch', 'actor', 'tool', 'since', 'until', 'node', 'node_type', 'limit', 'cursor'],
      ),
    ],
  },
  {
    method: 'GET',
    path: 'changes',
    tool: 'commits_changes',
    args: [changesArguments],
    streams: true,
  },
  {
    method: 'GET',
    path: 'commits/:id',
    tool: 'commits_get',
    args: [pathArgument('id', 'commit_id'), queryArguments('limit', 'cursor')],
  },
  {
    method: 'GET',
    path: 'commits/:id/changes',
    tool: 'commits_changes',
    id: 'changes_of_commit',
    args: [pathArgument('id', 'commit_id'), queryArguments('since', 'limit')],
  },
];

export function graphToolRoutes(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  for (const { method, path, tool, args } of toolRouteTable) {
    const route = `${method} /graphs/{graph}/${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`;
    app.on(method, `/${path}`, async (context) => {
      const { routeTool } = await import('./route-tools.js');
      const input = routeTool(tool).input.schema();
      const given = await readAllArguments(context, args, options.limits.depth, input);
      const { structured } = await options.endpoints.run(
        surfaceAddressOf(context.req),
        context.var.origin,
        tool,
        given,
        route,
      );
      return context.json(structured);
    });
  }
  return handleRestErrors(app, options);
}
