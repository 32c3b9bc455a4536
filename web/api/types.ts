/** The answers of the REST routes, as /openapi.json describes them. */

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

export interface Commit {
  readonly commit_id: string;
  readonly seq: number;
  readonly branch?: string;
  readonly parent_commit_id: string | null;
  readonly merged_parent_commit_id: string | null;
  readonly actor_id: string;
  readonly client?: string;
  readonly tool: string;
  readonly message?: string;
  readonly created_at: string;
  readonly counts: { readonly nodes: Counts; readonly observations: Counts; readonly edges: Counts };
  readonly schema_changed?: true;
  readonly collected?: true;
}

export type ChangeKind = 'added' | 'changed' | 'removed';

export type PropertyChanges = Readonly<
  Record<string, { readonly before?: unknown; readonly after?: unknown }>
>;

type Values = Readonly<Record<string, unknown>>;

export interface NodeRef {
  readonly name: string;
  readonly type: string;
}

export interface Observation {
  readonly ordinal: number;
  readonly text: string;
  readonly provenance?: Values;
  readonly blame?: Blame;
}

export interface NodeChange extends NodeRef {
  readonly change: ChangeKind;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly observations?: readonly Observation[];
  readonly props?: Values;
  readonly provenance?: Values;
  readonly properties?: PropertyChanges;
}

export interface EdgeChange {
  readonly change: ChangeKind;
  readonly from: string;
  readonly type: string;
  readonly to: string;
  readonly key?: string;
  readonly weight?: number;
  readonly props?: Values;
  readonly provenance?: Values;
  readonly properties?: PropertyChanges;
}

export interface Changes {
  readonly schema?: { readonly change: ChangeKind; readonly steps: readonly { readonly message: string }[] };
  readonly nodes: readonly NodeChange[];
  readonly edges: readonly EdgeChange[];
}

/** Which commit put something there, and what its writer said about it; without a commit, nobody knows any more. */
export interface Blame {
  readonly commit_id?: string;
  readonly actor_id?: string;
  readonly client?: string;
  readonly tool?: string;
  readonly message?: string;
  readonly at?: string;
  readonly source?: string;
  readonly confidence?: number;
  readonly extraction_method?: string;
  readonly derived_from?: readonly string[];
}

export interface GraphNode extends NodeRef {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly props?: Values;
  readonly provenance?: Values;
  readonly observations: readonly Observation[];
  readonly created_at: string;
  readonly updated_at: string;
  /** The last commit that touched the node: what `if_commit` of an edit means. */
  readonly commit_id?: string;
  readonly blame?: NodeBlame;
}

export type NodeBlame = Blame & {
  readonly props?: Readonly<Record<string, Blame>>;
  readonly summary?: Blame;
  readonly tags?: Blame;
  readonly type?: Blame;
};

export interface Edge {
  readonly from: NodeRef;
  readonly to: NodeRef;
  readonly type: string;
  readonly key?: string;
  readonly weight?: number;
  readonly props?: Values;
  readonly provenance?: Values;
  readonly blame?: Blame;
}

export interface NodePage {
  readonly node: GraphNode;
  readonly edges: { readonly out: readonly Edge[]; readonly in: readonly Edge[]; readonly truncated?: true };
}

export interface NodeVersion {
  readonly commit: Commit;
  readonly change?: ChangeKind;
  readonly node_changes: Changes;
}

export interface SearchHit extends NodeRef {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly score?: number;
  readonly matches: readonly { readonly ordinal?: number; readonly field?: string; readonly text: string }[];
  readonly updated_at: string;
  readonly actor_id: string;
  readonly confidence?: number;
}

export interface RecentChange {
  readonly commit: Commit;
  readonly nodes: readonly (NodeRef & { readonly change: ChangeKind })[];
  readonly edges: number;
}

export interface TypeCounts {
  readonly node_types: readonly { readonly type: string; readonly count: number }[];
  readonly edge_types: readonly { readonly type: string; readonly count: number }[];
}

export interface Conflict {
  readonly kind: string;
  readonly id: string;
  readonly property?: string;
  readonly base?: unknown;
  readonly ours?: unknown;
  readonly theirs?: unknown;
  readonly message?: string;
}

export interface Undone {
  readonly dry_run: boolean;
  readonly commit_id: string | null;
  readonly undone: readonly {
    readonly changes: Changes;
    readonly left?: readonly Conflict[];
    readonly more?: number;
  }[];
}

export interface EditResult {
  readonly commit?: Commit | null;
  readonly warnings?: readonly string[];
}

export interface Page {
  readonly nextCursor?: string;
}
