/** Access to the registry that the gate keeps in the graph; see `isRegistryNode`. */
export interface RegistryAccess {
  /** Reads see neither its nodes nor what touches them. */
  readonly hidden?: boolean;
  /** Called when a write is about to change it. Default: it may. */
  readonly mayChange?: () => boolean;
}

export const hiddenRegistry: RegistryAccess = { hidden: true, mayChange: () => false };

interface BranchTarget {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  readonly registry?: RegistryAccess | undefined;
}

export interface WriteTarget extends BranchTarget {
  /** The commit that the write was prepared on: if it is not the head of the branch, nothing is written. */
  readonly ifCommit?: string | undefined;
}

export interface ReadTarget extends BranchTarget {
  /** Reads the state that this commit left; default: the head of the branch. */
  readonly commit?: string | undefined;
}
