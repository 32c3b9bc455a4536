import type { ErrorCode, TrellisError } from '../../model/error.js';

export const parseError = -32_700;
export const invalidRequest = -32_600;

export function rpcError(message: string, code = -32_000) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 422 | 429 | 500 | 503;

const codesByStatus: readonly (readonly [ErrorStatus, readonly ErrorCode[]])[] = [
  [400, ['SCHEMA_INVALID', 'QUERY_INVALID', 'CAPABILITY_MISSING', 'INVALID_ARGUMENT', 'USAGE']],
  [401, ['UNAUTHENTICATED']],
  [403, ['FORBIDDEN', 'SIGN_IN_FAILED']],
  [404, ['NOT_FOUND', 'GRAPH_NOT_FOUND', 'BRANCH_NOT_FOUND', 'COMMIT_NOT_FOUND', 'QUERY_NOT_FOUND']],
  [409, ['GRAPH_EXISTS', 'BRANCH_EXISTS', 'NODE_EXISTS', 'EDGE_EXISTS', 'AMBIGUOUS_NAME']],
  [409, ['BRANCH_IN_USE', 'MERGE_CONFLICT', 'CHANGED_SINCE', 'CONFIRMATION_NEEDED']],
  [409, ['SCHEMA_DATA_LOSS', 'SCHEMA_UNSUPPORTED', 'SCHEMA_BREAKS_QUERY']],
  [410, ['COMMIT_COLLECTED']],
  [412, ['HEAD_MOVED']],
  [413, ['QUERY_TIMEOUT', 'LIMIT_EXCEEDED']],
  [422, ['SCHEMA_VIOLATION', 'ENDPOINT_NOT_FOUND']],
  [429, ['SERVER_BUSY']],
  [503, ['STORED_QUERY_INVALID', 'EMBEDDER_UNAVAILABLE', 'IDENTITY_PROVIDER_UNAVAILABLE', 'STOPPED']],
];

const statuses = new Map(codesByStatus.flatMap(([status, codes]) => codes.map((code) => [code, status])));

export function statusOf({ code }: TrellisError): ErrorStatus {
  return statuses.get(code) ?? (code.startsWith('STORE_') ? 503 : 500);
}
