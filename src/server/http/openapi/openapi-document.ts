import { packageVersion } from '../../package-version.js';
import { graphRouteTable } from '../rest/graph-routes.js';
import { type ToolRoute, toolRouteTable } from '../rest/graph-tool-routes.js';
import { routeTool } from '../rest/route-tools.js';
import { nonRestOperations } from './non-rest-operations.js';
import { openApiOperation, openApiPath, type RouteDescription } from './openapi-operation.js';
import { streamOperations } from './stream-operations.js';

export function openApiDocument(publicUrl: string | undefined): object {
  const operations = [
    ...nonRestOperations,
    ...streamOperations(),
    ...[...restRoutes()].map((route) => ({
      method: route.method.toLowerCase(),
      path: openApiPath(route.path),
      operation: openApiOperation(route),
    })),
  ];
  const paths = new Map<string, Record<string, object>>();
  for (const { method, path, operation } of operations)
    paths.set(path, { ...paths.get(path), [method]: operation });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trellis',
      version: packageVersion(),
      summary: 'A knowledge-graph memory server for AI agents.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    tags: [
      { name: 'rest', description: 'Graphs, branches and commits.' },
      { name: 'mcp', description: 'The Model Context Protocol.' },
      { name: 'server', description: 'The server itself.' },
    ],
    // A server on one machine requires no tokens.
    security: [{ bearer: [] }, {}],
    paths: Object.fromEntries(paths),
    components: { securitySchemes, schemas },
  };
}

function* restRoutes(): Generator<RouteDescription> {
  for (const route of graphRouteTable)
    yield { ...route, id: operationId(route.title), input: route.input(), output: route.output() };
  for (const route of toolRouteTable) yield toolOperation(route);
}

function toolOperation({ method, path, tool: name, id = name, args, streams }: ToolRoute): RouteDescription {
  const tool = routeTool(name);
  return {
    method,
    path: `/graphs/:graph/${path}`,
    id,
    title: tool.title,
    description: tool.description,
    args,
    input: tool.input.schema(),
    output: tool.output?.() ?? { type: 'object' },
    isOnBranch: true,
    streams,
  };
}

function operationId(title: string): string {
  return title.toLowerCase().replace(/\W+/g, '_');
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token from trellis token create, or from the identity provider that the server trusts.',
  },
};

const error = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'One of the codes in docs/errors.md.' },
    message: { type: 'string' },
    hint: { type: 'string', description: 'What to do next.' },
    conflicts: {
      type: 'array',
      items: { type: 'object' },
      description: 'The conflicts of a rejected merge.',
    },
    line: { type: 'integer', description: 'The invalid line of a batch, counted from 1.' },
    problems: { type: 'array', description: 'Everything that is wrong with a query, a schema or rows.' },
    steps: {
      type: 'array',
      items: { type: 'object' },
      description: 'The steps of a schema change that lose data.',
    },
    changed_by: {
      type: 'object',
      description: 'The commit that changed a node since: commit_id, actor_id and created_at.',
    },
    expected: { type: 'string', description: 'The commit that a refused write named.' },
    head: { type: ['string', 'null'], description: 'The commit at which the branch is.' },
    changed: {
      type: 'array',
      items: { type: 'object' },
      description: 'What the write would have touched and was changed since: kind, type and name or ends.',
    },
    queries: {
      type: 'array',
      items: { type: 'object' },
      description: 'The stored queries that a schema change would break.',
    },
  },
  required: ['code', 'message'],
};

const schemas = {
  Error: { type: 'object', properties: { error }, required: ['error'] },
  RpcError: {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: 'null' },
      error: {
        type: 'object',
        properties: { code: { type: 'integer' }, message: { type: 'string' } },
        required: ['code', 'message'],
      },
    },
    required: ['jsonrpc', 'id', 'error'],
  },
  RpcMessage: {
    type: 'object',
    description: 'A request, notification or response of JSON-RPC 2.0.',
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'integer'] },
      method: { type: 'string' },
      params: { type: 'object' },
      result: { type: 'object' },
      error: { type: 'object' },
    },
    required: ['jsonrpc'],
  },
};
