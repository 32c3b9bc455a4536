import { api } from '../../api/graph-api.js';
import type { QueryHead } from './parse-query-heads.js';

export type Values = Readonly<Record<string, unknown>>;

/** Rows of a query that reads, or what one that writes has changed. */
export interface QueryAnswer {
  readonly query_name: string;
  readonly columns?: readonly string[];
  readonly rows?: readonly Values[];
  readonly plan?: readonly string[];
  readonly affected_nodes?: number;
  readonly affected_edges?: number;
  readonly commit_id?: string | null;
}

export interface StoredQuery extends QueryHead {
  readonly description: string | null;
  readonly instruction: string | null;
}

export interface SourceProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion?: string;
}

interface QueryRequest {
  readonly source: string;
  readonly name?: string | undefined;
  readonly params?: Values;
}

export function runQuery(request: QueryRequest, signal?: AbortSignal): Promise<QueryAnswer> {
  return api.value.post(['query'], { ...request, branch: api.value.branch }, signal);
}

export function explainQuery(request: QueryRequest, signal?: AbortSignal): Promise<QueryAnswer> {
  return api.value.post(['query'], { ...request, branch: api.value.branch, explain: true }, signal);
}

export function runMutation(request: QueryRequest): Promise<QueryAnswer> {
  return api.value.post(['mutate'], { ...request, branch: api.value.branch });
}

export function storedQueries(signal?: AbortSignal): Promise<{ readonly queries: readonly StoredQuery[] }> {
  return api.value.getPlain(['queries'], {}, signal);
}

export function runStoredQuery(name: string, params: Values): Promise<QueryAnswer> {
  return api.value.post(['queries', name], { params, branch: api.value.branch });
}

export async function schemaSource(signal?: AbortSignal): Promise<string> {
  const { schema_source } = await api.value.get<{ readonly schema_source: string }>(['schema'], {}, signal);
  return schema_source;
}

/** The mistakes of a source that an error lists; empty if it is about something else. */
export function problemsIn({
  body,
}: {
  readonly body: { readonly problems?: unknown };
}): readonly SourceProblem[] {
  return Array.isArray(body.problems) ? body.problems.filter(isSourceProblem) : [];
}

function isSourceProblem(value: unknown): value is SourceProblem {
  return (
    typeof value === 'object' && value !== null && 'line' in value && 'column' in value && 'message' in value
  );
}
