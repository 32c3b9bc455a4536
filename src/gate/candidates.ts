import type { Node, NodeId } from '../model/node.js';
import type { Reader } from '../store/contract.js';

/** How many nodes each look-up may propose: enough to find a double, few enough to cost nothing. */
const perLookUp = 20;
/** The text index knows parts of words from this length on. */
const shortestPart = 3;

/**
 * Nodes of a type whose name may be another spelling of this one. If it differs by one letter, then its first half or its
 * second half is spelt the same; so the nodes that contain one of the halves are looked at.
 */
export async function candidates(reader: Reader, type: string, text: string): Promise<Node[]> {
  const parts = halves(text);
  const ids = new Set<NodeId>();
  for (const part of parts) {
    for (const id of (await reader.nodesContaining(part, perLookUp)).nodes) ids.add(id);
  }
  const nodes = await reader.nodesById([...ids]);
  return nodes.filter((node) => !node.stub && node.type === type);
}

/** Both halves of the longest word, as long as they are long enough to be looked up. */
function halves(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  if (longest.length < shortestPart) return [];
  const length = Math.max(shortestPart, Math.floor(longest.length / 2));
  return [...new Set([longest.slice(0, length), longest.slice(-length)])];
}
