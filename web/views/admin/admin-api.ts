import { api } from '../../api/graph-api.js';
import { request } from '../../api/request.js';

export interface Stats {
  readonly store: 'sqlite' | 'postgres' | 'jsonl';
  readonly nodes: number;
  readonly edges: number;
  readonly observations: number;
  readonly commits: number;
  readonly branches: number;
  readonly embedding_coverage: number;
}

export interface PolicyReport {
  readonly has_policy: boolean;
  readonly actor_id: string;
  readonly branch: string;
  readonly actions: readonly { readonly action: string; readonly allowed: boolean; readonly rule?: string }[];
  readonly mentioned: { readonly actors: readonly string[]; readonly groups: readonly string[] };
}

export function stats(signal?: AbortSignal): Promise<Stats> {
  return api.value.get(['stats'], {}, signal);
}

export function explainPolicy(
  query: { readonly actor: string; readonly groups: string; readonly branch: string },
  signal?: AbortSignal,
): Promise<PolicyReport> {
  return api.value.getPlain(['policy'], query, signal);
}

export async function createGraph(name: string): Promise<void> {
  await request('POST', 'graphs', { body: { name } });
}

export async function renameGraph(graph: string, name: string): Promise<void> {
  await request('PATCH', `graphs/${encodeURIComponent(graph)}`, { body: { name } });
}

export async function deleteGraph(graph: string): Promise<void> {
  await request('DELETE', `graphs/${encodeURIComponent(graph)}`, { query: { confirm: graph } });
}
