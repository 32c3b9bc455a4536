import type { TrellisError } from '../../model/error.js';

export const parseError = -32_700;

export const invalidRequest = -32_600;

export function rpcError(message: string, code = -32_000) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 500 | 503;

const statuses: ReadonlyMap<string, ErrorStatus> = new Map([
  ['NOT_FOUND', 404],
  ['GRAPH_NOT_FOUND', 404],
  ['BRANCH_NOT_FOUND', 404],
  ['COMMIT_NOT_FOUND', 404],
  ['COMMIT_COLLECTED', 410],
  ['GRAPH_EXISTS', 409],
  ['CONFIRMATION_NEEDED', 409],
  ['BRANCH_EXISTS', 409],
  ['BRANCH_IN_USE', 409],
  ['MERGE_CONFLICT', 409],
  ['NODE_EXISTS', 409],
  ['EDGE_EXISTS', 409],
  ['AMBIGUOUS_NAME', 409],
  ['SCHEMA_DATA_LOSS', 409],
  ['SCHEMA_UNSUPPORTED', 409],
  ['SCHEMA_BREAKS_QUERY', 409],
  ['SCHEMA_VIOLATION', 422],
  ['ENDPOINT_NOT_FOUND', 422],
  ['SCHEMA_INVALID', 400],
  ['QUERY_INVALID', 400],
  ['QUERY_NOT_FOUND', 404],
  ['QUERY_TIMEOUT', 413],
  ['STORED_QUERY_INVALID', 503],
  ['EMBEDDER_UNAVAILABLE', 503],
  ['FORBIDDEN', 403],
  ['CAPABILITY_MISSING', 400],
  ['INVALID_ARGUMENT', 400],
  ['USAGE', 400],
  ['LIMIT_EXCEEDED', 413],
  ['UNAUTHENTICATED', 401],
  ['IDENTITY_PROVIDER_UNAVAILABLE', 503],
  ['STOPPED', 503],
  ['SERVER_BUSY', 429],
]);

export function statusOf({ code }: TrellisError): ErrorStatus {
  return statuses.get(code) ?? (code.startsWith('STORE_') ? 503 : 500);
}
