/** How whoever reads or writes meets the registry that the gate keeps in the graph: see `isRegistryNode`. */
export interface RegistryAccess {
  /** Its nodes, and what touches them, are not there for whoever reads. */
  readonly hidden?: boolean;
  /** Asked when a write is about to change it; left out, it may. */
  readonly mayChange?: () => boolean;
}

/** For those to whom the registry is no part of the graph. */
export const hiddenRegistry: RegistryAccess = { hidden: true, mayChange: () => false };

export interface WriteTarget {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  readonly registry?: RegistryAccess | undefined;
}

export interface ReadTarget extends WriteTarget {
  /** Reads the state that this commit left; default: the head of the branch. */
  readonly commit?: string | undefined;
}
