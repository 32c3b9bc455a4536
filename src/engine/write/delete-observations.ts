import type { Node } from '../../model/node.js';
import { provenanceWith } from '../../model/provenance.js';
import { shownProps } from '../../model/render-props.js';
import type { Transaction } from '../graph.js';
import type { ObservationsOfNode } from './add-observations.js';
import { NodesByName } from './find-node.js';

export interface DeletedObservations {
  readonly asked: number;
  readonly deleted: number;
  readonly nodesNotFound: readonly string[];
}

/** Deletes observations by exact text; a text that is a rendered property removes that property. */
export async function deleteObservations(
  tx: Transaction,
  items: readonly ObservationsOfNode[],
): Promise<DeletedObservations> {
  const wanted = new Map<string, Set<string>>();
  for (const { name, texts } of items) {
    const all = wanted.get(name) ?? new Set<string>();
    for (const text of texts) all.add(text);
    wanted.set(name, all);
  }
  const nodes = await NodesByName.of(tx.rows, wanted.keys());
  let deleted = 0;
  for (const [name, texts] of wanted) {
    const node = nodes.real(name);
    if (node === undefined) continue;
    const found = await deleteFrom(tx, node, texts);
    deleted += found;
  }
  return {
    asked: [...wanted.values()].reduce((sum, texts) => sum + texts.size, 0),
    deleted,
    nodesNotFound: [...wanted.keys()].filter((name) => !nodes.exists(name)),
  };
}

async function deleteFrom(tx: Transaction, node: Node, texts: ReadonlySet<string>): Promise<number> {
  const observations = await tx.rows.observationsOf([node.id], [...texts]);
  const removed = shownProps(node).filter(({ text }) => texts.has(text));
  const gone = new Set([...observations, ...removed].map(({ text }) => text));
  if (gone.size === 0) return 0;
  tx.announce('deleteObservations', { name: node.name, texts: [...gone] });
  await tx.rows.removeObservations(observations);
  if (removed.length > 0) await tx.rows.putNodes([without(node, new Set(removed.map(({ key }) => key)))]);
  return gone.size;
}

function without(node: Node, keys: ReadonlySet<string>): Node {
  const props = Object.fromEntries(Object.entries(node.props).filter(([key]) => !keys.has(key)));
  return { ...node, props, provenance: provenanceWith(node, props) };
}
