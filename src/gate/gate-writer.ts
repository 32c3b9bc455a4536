/** Who writes, and what of the graph they may read. */
export interface GateWriter {
  readonly actor: string;
  /** Whether they may read this branch; without a name, the one that they write to. */
  mayRead(branch?: string): boolean;
}
