import type { Fragment, SqlParam } from './executor.js';

/** How a database finds identities by their names. */
export interface NameIndex {
  /** The key of the table of identities. */
  readonly key: readonly string[];
  /** Columns beside an identity's own that the key needs, if the name itself is no part of it. */
  readonly columns: readonly string[];
  /** Their values for a name. */
  values(name: string): readonly SqlParam[];
  /** The condition that identity `i` has one of these names. */
  matchesAny(names: readonly string[]): Fragment;
}
