import type { ProgressListener } from '../model/progress.js';

/** Bytes that the store takes. */
export interface StoreSize {
  readonly data: number;
  /** Of these, the log of writes that are not yet in the data file; undefined where the database keeps it elsewhere. */
  readonly log: number | undefined;
}

export interface CollectOptions {
  /** In milliseconds since 1970. Later commits stay readable; earlier ones only if something needs them. */
  readonly before: number;
  readonly dryRun?: boolean | undefined;
  readonly progress?: ProgressListener;
}

export interface CollectResult {
  readonly commits: number;
  readonly nodes: number;
  readonly observations: number;
  readonly edges: number;
}

export interface PurgeOptions {
  readonly text: string;
  readonly dryRun?: boolean | undefined;
}

/** How many names and versions contained the text, and where it could not be removed. */
export interface PurgeResult {
  readonly names: number;
  readonly nodes: number;
  readonly observations: number;
  readonly edges: number;
  /** Rejected writes whose arguments or reason contained it. */
  readonly rejections: number;
  /** Commits whose message or client contained it. */
  readonly commits: number;
  readonly schemas: number;
  readonly left: readonly string[];
}
