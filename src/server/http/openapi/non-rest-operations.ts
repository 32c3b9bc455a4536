/** Described by hand; a test compares them with the mounted routes. */
interface NonRestOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: object;
}

const text = (description: string, type = 'text/plain') => ({
  description,
  content: { [type]: { schema: { type: 'string' } } },
});
const json = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const branch = {
  name: 'branch',
  in: 'query',
  description: 'The branch; an alternative to X-Trellis-Branch. Default: main.',
  schema: { type: 'string' },
};
const workspace = (required: boolean) => ({
  name: 'X-Memory-Workspace',
  in: 'header',
  required,
  description: 'Binds the client to the workspace surface on that graph.',
  schema: { type: 'string' },
});
const refused = {
  description: 'Rejected.',
  content: { 'application/json': { schema: reference('RpcError') } },
};

function protocol(id: string, summary: string, parameters: readonly object[]): object {
  return {
    operationId: id,
    summary,
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, 2025 and 2026). tools/list lists the tools.',
    tags: ['mcp'],
    parameters: [...parameters, branch],
    requestBody: { required: true, content: { 'application/json': { schema: reference('RpcMessage') } } },
    responses: {
      200: {
        description: 'The response as JSON; for subscriptions/listen, a stream of events.',
        content: {
          'application/json': { schema: reference('RpcMessage') },
          'text/event-stream': { schema: { type: 'string' } },
        },
      },
      202: { description: 'Notification accepted.' },
      default: refused,
    },
  };
}

const resourceMetadata = (id: string, parameters: readonly object[]) => ({
  operationId: id,
  summary: 'Where to get a token',
  description: 'The protected resource metadata of RFC 9728; 404 if the server does not require tokens.',
  tags: ['server'],
  parameters,
  security: [],
  responses: { 200: json('The metadata.', { type: 'object' }), 404: refused },
});

export const nonRestOperations: readonly NonRestOperation[] = [
  {
    method: 'get',
    path: '/healthz',
    operation: {
      operationId: 'healthz',
      summary: 'Liveness',
      tags: ['server'],
      security: [],
      responses: {
        200: json('Alive.', {
          type: 'object',
          properties: { status: { const: 'ok' }, version: { type: 'string' } },
          required: ['status', 'version'],
        }),
      },
    },
  },
  {
    method: 'get',
    path: '/openapi.json',
    operation: {
      operationId: 'openapi',
      summary: 'This description',
      tags: ['server'],
      security: [],
      responses: { 200: json('OpenAPI 3.1.', { type: 'object' }) },
    },
  },
  {
    method: 'get',
    path: '/.well-known/oauth-protected-resource',
    operation: resourceMetadata('protected_resource', []),
  },
  {
    method: 'get',
    path: '/.well-known/oauth-protected-resource/{path}',
    operation: resourceMetadata('protected_resource_at', [pathParameter('path')]),
  },
  {
    method: 'get',
    path: '/metrics',
    operation: {
      operationId: 'metrics',
      summary: 'Metrics for Prometheus',
      tags: ['server'],
      responses: {
        200: text('Metrics, with the names of the graphs that the actor can see.'),
        default: refused,
      },
    },
  },
  {
    method: 'post',
    path: '/mcp',
    operation: protocol('mcp', 'The surface of the configuration, or the server as a whole', [
      workspace(false),
    ]),
  },
  {
    method: 'post',
    path: '/graphs/{graph}/mcp',
    operation: protocol('graph_mcp', 'The graph surface on a graph', [pathParameter('graph')]),
  },
  {
    method: 'post',
    path: '/graphs/{graph}/{surface}/mcp',
    operation: protocol('surface_mcp', 'Any surface on a graph', [
      pathParameter('graph'),
      pathParameter('surface'),
    ]),
  },
  {
    method: 'get',
    path: '/sse',
    operation: {
      operationId: 'sse',
      summary: 'The older transport of the protocol: its stream',
      tags: ['mcp'],
      parameters: [workspace(true), branch],
      responses: { 200: text('A stream of events.', 'text/event-stream'), default: refused },
    },
  },
  {
    method: 'post',
    path: '/sse/messages/',
    operation: {
      operationId: 'sse_messages',
      summary: 'The older transport of the protocol: a message to the stream',
      tags: ['mcp'],
      parameters: [
        workspace(true),
        { name: 'sessionId', in: 'query', required: true, schema: { type: 'string' } },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: reference('RpcMessage') } } },
      responses: { 202: { description: 'Accepted; the response comes on the stream.' }, default: refused },
    },
  },
];
