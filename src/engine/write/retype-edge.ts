import { TrellisError } from '../../model/error.js';
import { checkName } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import { requireNode } from '../require-nodes.js';
import { type EdgeSpec, edgeEnds } from '../specs.js';

/** If an edge of the new type exists, the old one is removed. Returns whether it existed. */
export async function retypeEdge(
  tx: Transaction,
  spec: EdgeSpec,
  newType: string,
): Promise<{ merged: boolean }> {
  checkName(newType, 'The new type of a relation');
  const { rows } = tx;
  const ends = edgeEnds(spec);
  const from = await requireNode(rows, ends.from);
  const to = await requireNode(rows, ends.to);
  const identity = { from: from.id, to: to.id, key: '' };
  const found = await rows.edgesByIdentity([
    { ...identity, type: spec.type },
    { ...identity, type: newType },
  ]);
  const edge = found.find(({ type }) => type === spec.type);
  if (edge === undefined) throw relationNotFound(spec);
  if (spec.type === newType) return { merged: false };
  tx.announce('updateEdges', { updates: [{ from: spec.from, to: spec.to, type: spec.type, newType }] });
  await rows.removeEdges([edge]);
  const merged = found.length > 1;
  if (!merged) await rows.putEdges([{ ...edge, type: newType }]);
  return { merged };
}

function relationNotFound({ from, to, type }: EdgeSpec): TrellisError {
  return new TrellisError('NOT_FOUND', `Relation '${type}' from '${from}' to '${to}' not found.`, {
    hint: 'Nothing was done. Direction and type must match exactly; see them with get_relations_between.',
    details: { from, to, type },
  });
}
