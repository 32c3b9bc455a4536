import { groupEntries } from '../../model/group-entries.js';
import type { Node, NodeId } from '../../model/node.js';
import type { ObservationText } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';

/** A node with the observations its texts are ranked among. */
export interface NodeContext {
  readonly node: Node;
  /** In ordinal order: all of them, or those around the candidates if the node has very many. */
  readonly observations: readonly ObservationText[];
  /** Approximate. */
  readonly size: number;
}

/** In nodes with more observations, only those around the candidates are read. */
const readWhole = 300;
/** Observations read for context in one search. */
const maxContextTexts = 4_000;
/** How far to look for the observations next to a candidate: deleted ones leave gaps. */
const reach = 8;

/** In the order of the nodes, best first. */
export async function loadContexts(
  reader: Reader,
  ids: readonly NodeId[],
  candidates: readonly ObservationText[],
): Promise<NodeContext[]> {
  const [nodes, identities] = await Promise.all([reader.nodesById(ids), reader.identitiesOf(ids)]);
  const sizes = new Map(identities.map(({ node, nextOrdinal }) => [node, nextOrdinal - 1]));
  const whole = new Set<NodeId>();
  let left = maxContextTexts;
  for (const id of ids) {
    const size = sizes.get(id) ?? 0;
    if (size > readWhole || size > left) continue;
    whole.add(id);
    left -= size;
  }
  const wanted = new Set(ids);
  const around = candidates
    .filter(({ node }) => wanted.has(node) && !whole.has(node))
    .map(({ node, ordinal }) => ({ node, from: ordinal - reach, to: ordinal + reach }));
  const [all, some] = await Promise.all([reader.textsOf([...whole]), reader.observationsBetween(around)]);
  const byNode = groupEntries([...all, ...some].map((observation) => [observation.node, observation]));
  return nodes.map((node) => ({
    node,
    observations: byNode.get(node.id) ?? [],
    size: whole.has(node.id) ? (byNode.get(node.id)?.length ?? 0) : (sizes.get(node.id) ?? 0),
  }));
}
