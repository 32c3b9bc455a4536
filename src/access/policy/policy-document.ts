import type { Action } from '../permission.js';

export const branchScopes = ['any', 'protected', 'unprotected'] as const;

/** Which branches a rule is about. */
export type BranchScope = (typeof branchScopes)[number];

/** Whom a rule is about. */
export type Subject =
  | { readonly kind: 'any' }
  | { readonly kind: 'group' | 'actor' | 'tenant'; readonly name: string };

/** What is allowed; what no rule allows is denied. */
export interface Rule {
  readonly id: string;
  readonly subject: Subject;
  readonly actions: readonly Action[];
  /** Of the actions that read or write a branch. */
  readonly branchScope: BranchScope;
  /** Of the actions that create, delete or merge into a branch, or give it a schema. */
  readonly targetBranchScope: BranchScope;
  /** Left out: every graph. */
  readonly graphs?: readonly string[];
  /** Left out: every stored query. */
  readonly queries?: readonly string[];
  /** What the token must carry, all of it. Left out: nothing. */
  readonly tokenScopes?: readonly string[];
}

/** A policy file in its short form. */
export interface PolicyDocument {
  /** Who belongs to a group, besides those whose token says so. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly protectedBranches: readonly string[];
  readonly rules: readonly Rule[];
}

/** The actions on a branch that is read or written: `branch_scope` is about these. */
export const branchActions: readonly Action[] = ['read', 'change', 'gate_write', 'invoke_query', 'export'];

/** The actions on a branch that is the aim: `target_branch_scope` is about these. */
export const targetActions: readonly Action[] = [
  'schema_apply',
  'branch_create',
  'branch_delete',
  'branch_merge',
];

/** The actions on a graph as a whole, or on the server. */
export const graphActions: readonly Action[] = ['graph_list', 'graph_admin'];
