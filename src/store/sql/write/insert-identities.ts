import type { NodeId } from '../../../model/node.js';
import type { IdentityDraft } from '../../drafts.js';
import type { Identity } from '../../read-results.js';
import type { VisibleRows } from '../visible-rows.js';
import type { OrdinalAllocator } from './ordinal-allocator.js';
import { appendColumns, identityColumns } from './row-values.js';

/** The nodes that identities are for. */
export interface IdentityNodes {
  /** New ones, of which each identity that names none gets the next. */
  readonly fresh: readonly NodeId[];
  /** Where the counters of those stand that are known. */
  readonly counted: ReadonlyMap<NodeId, number>;
}

/** Stores identities, and answers them in the order given. */
export function insertIdentities(
  { executor, dialect, lineage: { graph } }: VisibleRows,
  drafts: readonly IdentityDraft[],
  { fresh, counted }: IdentityNodes,
  ordinals: OrdinalAllocator,
): Identity[] {
  const added: Identity[] = [];
  let used = 0;
  executor.insert(
    'identity',
    appendColumns(identityColumns, dialect.names.columns),
    drafts.map(({ type, name, observations = 0, node = fresh[used++] as NodeId }) => {
      added.push({ type, name, node });
      const next = counted.get(node);
      // Another row of the node already counts: all of them must say the same.
      if (next === undefined) ordinals.reserve(node, observations);
      return [graph, name, type, node, next ?? observations + 1, ...dialect.names.values(name)];
    }),
  );
  return added;
}
