import type { EdgeSpec, NodeName } from '../../specs.js';

/** JSON that was not checked yet. */
export type UncheckedProps = Readonly<Record<string, unknown>>;

/** A node that must not have changed since a commit, if one is given. */
export interface NodeTarget extends NodeName {
  readonly ifCommit?: string | undefined;
}

export interface NewNode {
  readonly name: string;
  readonly type: string;
  readonly observations?: readonly string[] | undefined;
  readonly props?: UncheckedProps | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly summary?: string | undefined;
}

/** What is left out stays. */
export interface NodeChanges {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  /** Null or an empty text removes it. */
  readonly summary?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Null removes a property. */
  readonly props?: UncheckedProps | undefined;
}

export interface NewEdge extends Omit<EdgeSpec, 'props'> {
  readonly props?: UncheckedProps | undefined;
}

export type EditOperation =
  | { readonly op: 'add_node'; readonly node: NewNode }
  | { readonly op: 'update_node'; readonly target: NodeTarget; readonly set: NodeChanges }
  | { readonly op: 'delete_node'; readonly target: NodeTarget }
  | { readonly op: 'add_observations'; readonly target: NodeTarget; readonly texts: readonly string[] }
  | {
      readonly op: 'replace_observation';
      readonly target: NodeTarget;
      readonly ordinal: number;
      readonly text: string;
    }
  | { readonly op: 'delete_observations'; readonly target: NodeTarget; readonly ordinals: readonly number[] }
  | { readonly op: 'add_edge'; readonly edge: NewEdge }
  | { readonly op: 'delete_edge'; readonly edge: EdgeSpec };
