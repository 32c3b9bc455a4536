import { get, pathParameter, post } from './openapi-operation.js';

const text = (description: string, type = 'text/plain') => ({
  description,
  content: { [type]: { schema: { type: 'string' } } },
});
const json = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
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
const failed = json('Refused, or the identity provider cannot be reached.', reference('Error'));
const texts = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

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

/** Described by hand; a test compares them with the mounted routes. */
export const nonRestOperations = [
  get('/healthz', {
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
  }),
  get('/readyz', {
    operationId: 'readyz',
    summary: 'Readiness',
    tags: ['server'],
    security: [],
    responses: {
      200: json('The store answers.', {
        type: 'object',
        properties: { status: { const: 'ready' } },
        required: ['status'],
      }),
      503: json('The store does not answer.', {
        type: 'object',
        properties: { status: { const: 'unavailable' }, reason: { type: 'string' } },
        required: ['status', 'reason'],
      }),
    },
  }),
  get('/openapi.json', {
    operationId: 'openapi',
    summary: 'This description',
    tags: ['server'],
    security: [],
    responses: { 200: json('OpenAPI 3.1.', { type: 'object' }) },
  }),
  get('/.well-known/oauth-protected-resource', resourceMetadata('protected_resource', [])),
  get(
    '/.well-known/oauth-protected-resource/{path}',
    resourceMetadata('protected_resource_at', [pathParameter('path')]),
  ),
  get('/sign-in', {
    operationId: 'sign_in_provider',
    summary: 'Where people sign in',
    description:
      'For the explorer: the authorization endpoint of the identity provider, and what to send there. Empty if people sign in with a token only.',
    tags: ['server'],
    security: [],
    responses: {
      200: json('The provider, if there is one.', {
        type: 'object',
        properties: {
          provider: texts('issuer', 'authorization_endpoint', 'client_id', 'scope', 'redirect_uri'),
        },
      }),
      default: failed,
    },
  }),
  post('/sign-in', {
    operationId: 'sign_in',
    summary: 'Finish a sign-in at the identity provider',
    description:
      'For the explorer: exchanges an authorization code for a token, with PKCE. Only for the page of the server itself.',
    tags: ['server'],
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: texts('code', 'code_verifier', 'nonce') } },
    },
    responses: { 200: json('A token for Authorization: Bearer.', texts('token')), default: failed },
  }),
  get('/metrics', {
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    tags: ['server'],
    responses: {
      200: text('Metrics, with the names of the graphs that the actor can see.'),
      default: refused,
    },
  }),
  post(
    '/mcp',
    protocol('mcp', 'The surface of the configuration, or the server as a whole', [workspace(false)]),
  ),
  post(
    '/graphs/{graph}/mcp',
    protocol('graph_mcp', 'The graph surface on a graph', [pathParameter('graph')]),
  ),
  post(
    '/graphs/{graph}/{surface}/mcp',
    protocol('surface_mcp', 'Any surface on a graph', [pathParameter('graph'), pathParameter('surface')]),
  ),
  get('/sse', {
    operationId: 'sse',
    summary: 'The older transport of the protocol: its stream',
    tags: ['mcp'],
    parameters: [workspace(true), branch],
    responses: { 200: text('A stream of events.', 'text/event-stream'), default: refused },
  }),
  post('/sse/messages/', {
    operationId: 'sse_messages',
    summary: 'The older transport of the protocol: a message to the stream',
    tags: ['mcp'],
    parameters: [
      workspace(true),
      { name: 'sessionId', in: 'query', required: true, schema: { type: 'string' } },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: reference('RpcMessage') } } },
    responses: { 202: { description: 'Accepted; the response comes on the stream.' }, default: refused },
  }),
];
