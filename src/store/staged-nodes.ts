/** New versions of nodes that a store keeps ready for one write, so that the write need not work them out. */
export interface StagedNodes {
  /** To be called when the write has ended, either way. */
  release(): Promise<void>;
}
