import type { Action } from '../permission.js';

export const branchScopes = ['any', 'protected', 'unprotected'] as const;

export type BranchScope = (typeof branchScopes)[number];

export type Subject =
  | { readonly kind: 'any' }
  | { readonly kind: 'group' | 'actor' | 'tenant'; readonly name: string };

export interface Rule {
  readonly id: string;
  readonly subject: Subject;
  readonly actions: readonly Action[];
  /** For `branchActions`. */
  readonly branchScope: BranchScope;
  /** For `targetActions`. */
  readonly targetBranchScope: BranchScope;
  /** Default: every graph. */
  readonly graphs?: readonly string[];
  /** Default: every stored query. */
  readonly queries?: readonly string[];
  /** The token must carry all of them. */
  readonly tokenScopes?: readonly string[];
}

export interface PolicyDocument {
  /** Besides those whose token names the group. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly protectedBranches: readonly string[];
  readonly rules: readonly Rule[];
}

/** Limited by `branch_scope`. */
export const branchActions: readonly Action[] = ['read', 'change', 'gate_write', 'invoke_query', 'export'];

/** Limited by `target_branch_scope`. */
export const targetActions: readonly Action[] = [
  'schema_apply',
  'branch_create',
  'branch_delete',
  'branch_merge',
];

export const graphActions: readonly Action[] = ['graph_list', 'graph_admin'];
