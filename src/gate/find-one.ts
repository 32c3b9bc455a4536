import { Rejected } from './check/reject.js';
import type { GateTransaction, Keys, StoredNode } from './target.js';

/** The one node that these keys mean, or undefined; several are refused, since a write must mean one. */
export async function findOne(
  transaction: GateTransaction,
  label: string,
  keys: Keys,
): Promise<StoredNode | undefined> {
  const found = await transaction.nodesWith(label, keys);
  if (found.length <= 1) return found[0];
  throw new Rejected(
    'AMBIGUOUS_MERGE',
    `${found.length} nodes of the label ${label} match ${JSON.stringify(keys)}.`,
    'Add a key that only one of them has.',
    {
      label,
      keys,
      matches: found.slice(0, matchesListed).map(({ name, properties }) => ({ name, properties })),
    },
  );
}

const matchesListed = 5;
