import type { StagedNodes } from './staged-nodes.js';

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
  /** About how many rows it writes, if they may be many: a store can then make it where it holds up fewer others. */
  readonly rows?: number | undefined;
  /** What the store has kept ready for a planned write. */
  readonly staged?: readonly StagedNodes[] | undefined;
}

export interface ReadTarget extends BranchTarget {
  /** Reads the state that this commit left; default: the head of the branch. */
  readonly commit?: string | undefined;
}
