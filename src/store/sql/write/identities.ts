import type { NodeId } from '../../../model/node.js';
import type { Identity } from '../../answers.js';
import type { IdentityDraft } from '../../drafts.js';
import type { SeenRows } from '../seen-rows.js';
import type { Ordinals } from './ordinals.js';
import { identityColumns, withColumns } from './row-values.js';

/** The nodes that identities are for. */
export interface NodesToIdentify {
  /** New ones, of which each identity that names none gets the next. */
  readonly fresh: readonly NodeId[];
  /** Where the counters of those stand that are known. */
  readonly counted: ReadonlyMap<NodeId, number>;
}

/** Stores identities, and answers them in the order given. */
export function insertIdentities(
  { executor, dialect, lineage: { graph } }: SeenRows,
  drafts: readonly IdentityDraft[],
  { fresh, counted }: NodesToIdentify,
  ordinals: Ordinals,
): Identity[] {
  const added: Identity[] = [];
  let used = 0;
  executor.insert(
    'identity',
    withColumns(identityColumns, dialect.names.columns),
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
