import type { ObjectJsonSchema } from '../../../model/json.js';
import { eventStreamType } from '../rest/change-stream.js';
import { commitHeaders, graphCommitHeader } from '../rest/conditional-headers.js';
import type { ArgumentSource } from '../rest/route-arguments.js';
import { branchHeader } from '../surface-address.js';

export interface RouteDescription {
  readonly method: string;
  /** As mounted: `/graphs/:graph/branches`. */
  readonly path: string;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly args: readonly ArgumentSource[];
  readonly input: ObjectJsonSchema;
  readonly output: ObjectJsonSchema;
  readonly status?: number;
  readonly isOnBranch?: boolean;
  readonly streams?: boolean | undefined;
}

export const branchParameter = {
  name: branchHeader,
  in: 'header',
  description: 'The branch, if the arguments name none; default: main.',
  schema: { type: 'string' },
};

const lastEventParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event, from which a stream goes on; takes precedence over since.',
  schema: { type: 'string' },
};

const conditionParameters = (isRequired: boolean) =>
  commitHeaders.map((name) => ({
    name,
    in: 'header',
    required: isRequired && name === graphCommitHeader,
    description:
      'A commit: if it is not the head of the branch, nothing is written; as if_commit in the body.',
    schema: { type: 'string' },
  }));

export const optionalCondition = conditionParameters(false);

export const get = (path: string, operation: object) => ({ method: 'get', path, operation });
export const post = (path: string, operation: object) => ({ method: 'post', path, operation });

export function pathParameter(name: string, schema: unknown = { type: 'string' }) {
  return { name, in: 'path', required: true, schema };
}

const parameterPattern = /:(\w+)(?:\{[^}]*\})?/g;

/** `/graphs/:graph/branches` becomes `/graphs/{graph}/branches`. */
export function openApiPath(path: string): string {
  return path.replace(parameterPattern, '{$1}').replace(/\/\*$/, '/{path}');
}

export function openApiOperation(route: RouteDescription): object {
  const { id, title, description, output, status = 200 } = route;
  const bodySchema = bodyOf(route);
  return {
    operationId: id,
    summary: title,
    description,
    tags: ['rest'],
    parameters: parametersOf(route),
    ...(bodySchema === undefined
      ? {}
      : {
          requestBody: {
            required: requiredOf(bodySchema).length > 0,
            content: { 'application/json': { schema: bodySchema } },
          },
        }),
    responses: {
      [status]: {
        description: route.streams ? 'A page, or for text/event-stream a stream that follows.' : 'Done.',
        content: {
          'application/json': { schema: output },
          ...(route.streams ? { [eventStreamType]: { schema: { type: 'string' } } } : {}),
        },
      },
      ...errorResponses,
    },
  };
}

export const errorResponses = Object.fromEntries(
  Object.entries({
    400: 'The request is invalid; the message says what to fix.',
    401: 'No valid token.',
    403: 'The actor may not do this, or the Host or Origin is not allowed.',
    404: 'Not found, or the actor has no grant on it.',
    409: 'Conflict: the name is taken, a merge conflict, or a missing confirmation.',
    412: 'The branch is not at the commit that the write names; the error has its head.',
    410: 'The state of the commit was garbage-collected.',
    422: 'The write does not fit the schema of the graph.',
    413: 'The body or the response is too large.',
    429: 'Over the limits; Retry-After says when to retry.',
    500: 'A defect.',
    503: 'The store or the identity provider cannot be reached, or the server is shutting down.',
  }).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: schemaOfStatus(Number(status)) } } },
  ]),
);

/** Refusals before a route is reached are JSON-RPC errors. */
function schemaOfStatus(status: number): object {
  const before = { $ref: '#/components/schemas/RpcError' };
  const there = { $ref: '#/components/schemas/Error' };
  if (status === 401) return before;
  return status === 403 || status === 429 || status === 503 ? { anyOf: [there, before] } : there;
}

function parametersOf({ path, args, input, isOnBranch, streams }: RouteDescription): object[] {
  const properties = propertiesOf(input);
  const inPath = [...path.matchAll(parameterPattern)].map(([, name = '']) => {
    const source = args.find((one) => one.in === 'path' && one.name === name);
    const argument = source?.in === 'path' ? source.argument : name;
    return pathParameter(name, properties.get(argument));
  });
  const required = requiredOf(input);
  const inQuery = args
    .flatMap((source) => (source.in === 'query' ? source.names : []))
    .map((name) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema: properties.get(name) ?? { type: 'string' },
    }));
  return [
    ...[...inPath, ...inQuery],
    ...args.flatMap((source) => (source.in === 'condition' ? conditionParameters(source.isRequired) : [])),
    ...(isOnBranch ? [branchParameter] : []),
    ...(streams ? [lastEventParameter] : []),
  ];
}

function bodyOf({ args, input }: RouteDescription): ObjectJsonSchema | undefined {
  if (!args.some((source) => source.in === 'body')) return undefined;
  const elsewhere = new Set(
    args.flatMap((source) =>
      source.in === 'path' ? [source.argument] : source.in === 'query' ? source.names : [],
    ),
  );
  const properties = [...propertiesOf(input)].filter(([name]) => !elsewhere.has(name));
  return {
    ...input,
    properties: Object.fromEntries(properties),
    required: requiredOf(input).filter((name) => !elsewhere.has(name)),
  };
}

function propertiesOf({ properties }: ObjectJsonSchema): Map<string, unknown> {
  return new Map(typeof properties === 'object' && properties !== null ? Object.entries(properties) : []);
}

function requiredOf({ required }: ObjectJsonSchema): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}
