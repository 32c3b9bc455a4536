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

/** A branch or query not known yet: for the request whether to list a tool whose arguments name it. */
export const atLeastOne: unique symbol = Symbol('some');

export interface Permission {
  readonly action: Action;
  /** Default: the branch the surface is bound to. What a merge reads from is a `read` of its own. */
  readonly branch?: string | typeof atLeastOne | undefined;
  readonly query?: string | typeof atLeastOne | undefined;
}

/** Whether the caller has all of these permissions. */
export type PermissionCheck = (permissions: readonly Permission[]) => boolean;

export const denyAll: PermissionCheck = () => false;

export const allowAll: PermissionCheck = () => true;
