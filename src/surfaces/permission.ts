/** What can be allowed or denied. */
export type Action =
  | 'read'
  | 'change'
  | 'gate_write'
  | 'invoke_query'
  | 'export'
  | 'schema_apply'
  | 'branch_create'
  | 'branch_delete'
  | 'branch_merge'
  | 'graph_list'
  | 'graph_admin';

/** One thing a call needs to be allowed. */
export interface Permission {
  readonly action: Action;
  /** Left out: the branch the surface is bound to. */
  readonly branch?: string;
  /** The stored query it runs. */
  readonly query?: string;
}

/** Answers whether the caller has every one of these permissions. */
export type May = (permissions: readonly Permission[]) => boolean;

/** The person at this machine may do everything. */
export const mayEverything: May = () => true;
