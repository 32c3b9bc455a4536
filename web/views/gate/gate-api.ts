import { api } from '../../api/graph-api.js';
import type { Page } from '../../api/types.js';

/** Where the registry is changed. */
export type RegistryLocation = 'graph' | 'graph_schema' | 'elsewhere';

interface Entry {
  readonly required_properties: readonly string[];
  readonly property_types: Readonly<Record<string, string>>;
}

export interface LabelEntry extends Entry {
  readonly label: string;
  readonly remaps_from: readonly string[];
}

export interface RelationEntry extends Entry {
  readonly type: string;
  readonly from_labels: readonly string[];
  readonly to_labels: readonly string[];
}

export interface Registry {
  readonly location: RegistryLocation;
  readonly nodes: readonly LabelEntry[];
  readonly relationships: readonly RelationEntry[];
  readonly unknown_labels: 'remap' | 'reject';
  readonly fallback_label?: string;
  readonly extraction_methods?: readonly string[];
  readonly conflicts: 'warn' | 'reject' | 'keep';
}

export interface Rejection {
  readonly id: number;
  readonly code: string;
  readonly tool: string;
  readonly actor_id: string;
  readonly at: string;
  readonly message: string;
  readonly arguments: unknown;
}

/** What is added to the registry. */
export interface Rule {
  readonly kind: 'node' | 'relationship';
  readonly name: string;
  readonly absorbs?: readonly string[];
}

export interface DriftedName {
  readonly name: string;
  readonly count: number;
  readonly suggested?: string;
  readonly rule?: Rule;
}

export interface Drift {
  readonly labels: readonly DriftedName[];
  readonly relationship_types: readonly DriftedName[];
  readonly properties: readonly {
    readonly label: string;
    readonly property: string;
    readonly count: number;
  }[];
}

export function registry(signal?: AbortSignal): Promise<Registry> {
  return api.value.get(['gate', 'registry'], {}, signal);
}

export function rejections(
  query: Readonly<Record<string, string | number | undefined>>,
  signal?: AbortSignal,
): Promise<Page & { readonly rejections: readonly Rejection[] }> {
  return api.value.get(['gate', 'rejections'], query, signal);
}

export function drift(signal?: AbortSignal): Promise<Drift> {
  return api.value.get(['gate', 'drift'], {}, signal);
}

export function addRule(rule: Rule): Promise<{ readonly commit_id: string | null }> {
  return api.value.post(['gate', 'registry'], { ...rule, branch: api.value.branch });
}
