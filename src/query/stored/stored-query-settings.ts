/** A stored query that the configuration names. */
export interface StoredQuerySettings {
  readonly name: string;
  /** The `.gq` file that holds it. */
  readonly file: string;
  /** Left out, what the file says, else true. */
  readonly expose?: boolean | undefined;
  /** Left out, what the file says, else the name. */
  readonly toolName?: string | undefined;
  /** Where it is named, as `trellis.yaml:3`. */
  readonly source: string;
}
