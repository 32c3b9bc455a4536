import type { Commit } from '../model/commit.js';

/** What happened to a graph, whichever process did it. */
export type GraphChange =
  /** One or more commits. */
  | {
      readonly kind: 'commits';
      readonly branch: string;
      readonly setsSchema: boolean;
      /** The commit, if it was made through this store. */
      readonly own?: Commit;
    }
  | { readonly kind: 'branch-created' | 'branch-deleted'; readonly branch: string }
  /** The graph was deleted, renamed or replaced; the last change that is reported. */
  | { readonly kind: 'gone' };

export type GraphListener = (change: GraphChange) => void;
