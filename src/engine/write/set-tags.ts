import { checkName } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import { requireNode } from '../require-nodes.js';
import type { NodeName } from '../specs.js';

/** Replaces the tags of a node, without duplicates. */
export async function setTags(
  tx: Transaction,
  called: NodeName,
  given: readonly string[],
): Promise<readonly string[]> {
  const { name } = called;
  const tags = distinctTags(given, name);
  const node = await requireNode(tx.rows, called);
  if (JSON.stringify(tags) === JSON.stringify(node.tags)) return tags;
  tx.announce('updateNodes', { updates: [{ name }] });
  await tx.rows.putNodes([{ ...node, tags }]);
  return tags;
}

export function distinctTags(given: readonly string[], name: string): string[] {
  for (const tag of given) checkName(tag, `A tag of ${JSON.stringify(name)}`);
  return [...new Set(given)];
}
