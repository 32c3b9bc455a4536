import { TrellisError } from '../../model/error.js';
import { checkFact } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import { requireNode } from '../require-nodes.js';
import type { NodeName } from '../specs.js';
import { draftNewerThanSummary } from './add-observations-lenient.js';

/** Replaces the text at an ordinal; returns the old text. */
export async function replaceObservation(
  tx: Transaction,
  called: NodeName,
  ordinal: number,
  text: string,
): Promise<string> {
  const { name } = called;
  checkFact(text, `An observation of ${JSON.stringify(name)}`);
  const node = await requireNode(tx.rows, called);
  const before = (await tx.rows.observationsOf([node.id])).find((one) => one.ordinal === ordinal);
  if (before === undefined) throw observationNotFound(name, ordinal);
  if (before.text !== text) {
    tx.announce('deleteObservations', { name, texts: [before.text] });
    tx.announce('addObservations', { name, texts: [text] });
    await tx.rows.putObservations([draftNewerThanSummary(node, tx.rows.now, { text, ordinal })]);
  }
  return before.text;
}

export function observationNotFound(name: string, ordinal: number): TrellisError {
  return new TrellisError('NOT_FOUND', `Observation at ordinal ${ordinal} not found on '${name}'.`, {
    hint: 'Nothing was done. See the ordinals of the node with open_nodes; they are never renumbered, and start at 1.',
    details: { name, ordinal },
  });
}
