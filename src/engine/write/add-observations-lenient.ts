import type { Node, Observation } from '../../model/node.js';
import { checkFact } from '../../model/text.js';
import type { ObservationDraft } from '../../store/drafts.js';
import type { Transaction } from '../graph.js';
import type { NodeObservations } from './add-observations-strict.js';
import { NodesByName } from './nodes-by-name.js';

interface AddedToNode {
  readonly name: string;
  /** Undefined if the node is missing. */
  readonly added: readonly Observation[] | undefined;
}

/** Appends texts in the order given, even those a node already has; skips and reports unknown names. */
export async function addObservationsLenient(
  tx: Transaction,
  items: readonly NodeObservations[],
): Promise<AddedToNode[]> {
  for (const { name, texts } of items) {
    for (const text of texts) checkFact(text, `An observation of ${JSON.stringify(name)}`);
  }
  const nodes = await NodesByName.load(tx.rows, items);
  const targets = items.map((item) => ({ name: item.name, texts: item.texts, node: nodes.real(item) }));
  for (const { name, texts, node } of targets) {
    if (node !== undefined && texts.length > 0) tx.announce('addObservations', { name, texts });
  }
  const drafts = targets.flatMap(({ texts, node }) =>
    node === undefined ? [] : texts.map((text) => draftNewerThanSummary(node, tx.rows.now, { text })),
  );
  const added = await tx.rows.putObservations(drafts);
  let next = 0;
  return targets.map(({ name, texts, node }) => {
    if (node === undefined) return { name, added: undefined };
    next += texts.length;
    return { name, added: added.slice(next - texts.length, next) };
  });
}

/** A fact added in the same millisecond as the summary, or with a wrong clock, is still newer than it. */
export function draftNewerThanSummary(
  node: Node,
  now: number,
  draft: Omit<ObservationDraft, 'node' | 'createdAt'>,
): ObservationDraft {
  const { summaryUpdatedAt } = node;
  const createdAt = summaryUpdatedAt === null ? now : Math.max(now, summaryUpdatedAt + 1);
  return { ...draft, node: node.id, createdAt };
}
