import type { Transaction } from '../graph.js';
import type { NodeName } from '../specs.js';
import { NodesByName } from './nodes-by-name.js';

interface NodeOrdinals extends NodeName {
  readonly ordinals: readonly number[];
}

interface DeletedOrdinals {
  readonly name: string;
  readonly deleted: readonly number[];
  readonly notFound: readonly number[];
}

/** The other observations keep their ordinals. For an unknown name, every ordinal is missing. */
export async function deleteObservationsByOrdinal(
  tx: Transaction,
  items: readonly NodeOrdinals[],
): Promise<DeletedOrdinals[]> {
  const nodes = await NodesByName.load(tx.rows, items);
  const results: DeletedOrdinals[] = [];
  // One by one, so that a repeated ordinal is found once.
  for (const { name, type, ordinals } of items) {
    const node = nodes.real({ name, type });
    const asked = [...new Set(ordinals)];
    const there = new Map(
      (node === undefined ? [] : await tx.rows.observationsOf([node.id])).map((one) => [one.ordinal, one]),
    );
    const found = asked.flatMap((ordinal) => there.get(ordinal) ?? []);
    if (found.length > 0) {
      tx.announce('deleteObservations', { name, texts: found.map(({ text }) => text) });
      await tx.rows.removeObservations(found);
    }
    results.push({
      name,
      deleted: found.map(({ ordinal }) => ordinal),
      notFound: asked.filter((ordinal) => !there.has(ordinal)),
    });
  }
  return results;
}
