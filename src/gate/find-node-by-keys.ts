import { RejectedError } from './check/rejected-error.js';
import type { GateTransaction, Keys, StoredNode } from './gate-target.js';

/**
 * The node these keys identify. If several match, it is the one created with exactly these keys, so that longer keys do
 * not interfere; otherwise they are ambiguous.
 */
export async function findNodeByKeys(
  transaction: GateTransaction,
  label: string,
  keys: Keys,
  mayCreate = false,
): Promise<StoredNode | undefined> {
  const found = await transaction.nodesWith(label, keys, mayCreate);
  if (found.length <= 1) return found[0];
  const [own, ...others] = found.filter(({ provenance }) => hasExactKeys(provenance?.merge_keys ?? [], keys));
  if (own !== undefined && others.length === 0) return own;
  throw new RejectedError(
    'AMBIGUOUS_MERGE',
    `${found.length} nodes with label ${label} match ${JSON.stringify(keys)}.`,
    'Add a key that only one of them has.',
    {
      label,
      keys,
      matches: found.slice(0, maxMatchesListed).map(({ name, properties }) => ({ name, properties })),
    },
  );
}

const maxMatchesListed = 5;

function hasExactKeys(names: readonly string[], keys: Keys): boolean {
  return names.length === Object.keys(keys).length && names.every((name) => Object.hasOwn(keys, name));
}
