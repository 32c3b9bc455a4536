import { checkText } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import { requireNode } from '../require-nodes.js';
import type { NodeName } from '../specs.js';

/** Setting the same text again confirms it. Returns the time of the change. */
export async function setSummary(tx: Transaction, called: NodeName, summary: string): Promise<number> {
  const { name } = called;
  checkText(summary, `The summary of ${JSON.stringify(name)}`);
  const { rows } = tx;
  const node = await requireNode(rows, called);
  const newest = (await rows.tallyObservations([node.id])).get(node.id)?.newest ?? 0;
  // A summary covers everything before it, whatever the clocks said.
  const summaryUpdatedAt = Math.max(rows.now, newest);
  tx.announce('updateNodes', { updates: [{ name }] });
  await rows.putNodes([{ ...node, summary, summaryUpdatedAt }]);
  return rows.now;
}
