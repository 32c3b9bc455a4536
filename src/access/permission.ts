/** What can be allowed or denied. */
export const actions = [
  'read',
  'change',
  'gate_write',
  'invoke_query',
  'export',
  'schema_apply',
  'branch_create',
  'branch_delete',
  'branch_merge',
  'graph_list',
  'graph_admin',
] as const;

export type Action = (typeof actions)[number];

/**
 * Stands for a branch or a query that is not known yet: "on some branch, at least". For the question whether to list a
 * tool whose arguments say which; a call always names what it means.
 */
export const atLeastOne: unique symbol = Symbol('some');

/** One thing a call needs to be allowed. */
export interface Permission {
  readonly action: Action;
  /**
   * The branch it is about: the one read or written, or the one created, deleted, merged into or given a schema. Left
   * out: the branch the surface is bound to. What a merge reads from is a `read` of its own.
   */
  readonly branch?: string | typeof atLeastOne | undefined;
  /** The stored query it runs. */
  readonly query?: string | typeof atLeastOne | undefined;
}

/** Answers whether the caller has every one of these permissions. */
export type PermissionCheck = (permissions: readonly Permission[]) => boolean;

/** Whoever has no grant at all. */
export const denyAll: PermissionCheck = () => false;

/** The person at this machine may do everything. */
export const allowAll: PermissionCheck = () => true;
