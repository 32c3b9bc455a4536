export interface CollectOptions {
  /** Commits since then, in milliseconds since 1970, stay readable; of older ones only those that something else needs. */
  readonly before: number;
  /** Count, and drop nothing. */
  readonly dryRun?: boolean | undefined;
}

/** How much was dropped: commits that can no longer be read, and versions of rows. */
export interface CollectResult {
  readonly commits: number;
  readonly nodes: number;
  readonly observations: number;
  readonly edges: number;
}

export interface PurgeOptions {
  readonly text: string;
  /** Count, and change nothing. */
  readonly dryRun?: boolean | undefined;
}

/** How many names, and versions of nodes, observations and edges, had a text; and where it could not be taken out. */
export interface PurgeResult {
  readonly names: number;
  readonly nodes: number;
  readonly observations: number;
  readonly edges: number;
  /** Writes that were not let in, and whose arguments or reason had it. */
  readonly rejections: number;
  /** Commits whose message or client contained it. */
  readonly commits: number;
  /** Versions of the graph's schema. */
  readonly schemas: number;
  readonly left: readonly string[];
}
