import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import { retainProvenance } from '../../model/provenance.js';
import { type ShownProp, shownProps } from '../../model/render-props.js';
import type { Transaction } from '../graph.js';
import type { NodeName } from '../specs.js';
import type { NodeObservations } from './add-observations-strict.js';
import { NodesByName } from './nodes-by-name.js';

export interface DeletedObservations {
  readonly asked: number;
  readonly deleted: number;
  readonly nodesNotFound: readonly NodeName[];
  readonly items: readonly NodeObservations[];
}

/** Deletes observations by exact text; the text of a property removes that property. */
export async function deleteObservations(
  tx: Transaction,
  items: readonly NodeObservations[],
): Promise<DeletedObservations> {
  const nodes = await NodesByName.load(tx.rows, items);
  const asked = new Map<string, { readonly of: NodeName; readonly texts: Set<string> }>();
  for (const { name, type, texts } of items) {
    const key = JSON.stringify([name, type]);
    const wanted = asked.get(key) ?? { of: { name, type }, texts: new Set<string>() };
    for (const text of texts) wanted.texts.add(text);
    asked.set(key, wanted);
  }
  const wanted = [...asked.values()];
  const gone: NodeObservations[] = [];
  for (const { of, texts } of wanted) {
    const node = nodes.real(of);
    if (node === undefined) continue;
    gone.push({ ...of, texts: await deleteFrom(tx, node, texts) });
  }
  return {
    asked: wanted.reduce((sum, { texts }) => sum + texts.size, 0),
    deleted: gone.reduce((sum, { texts }) => sum + texts.length, 0),
    nodesNotFound: wanted.flatMap(({ of }) => (nodes.exists(of) ? [] : [of])),
    items: gone,
  };
}

async function deleteFrom(tx: Transaction, node: Node, texts: ReadonlySet<string>): Promise<string[]> {
  const observations = await tx.rows.observationsOf([node.id], [...texts]);
  const removed = shownProps(node).filter(({ text }) => texts.has(text));
  const gone = new Set([...observations, ...removed].map(({ text }) => text));
  if (gone.size === 0) return [];
  tx.announce('deleteObservations', { name: node.name, texts: [...gone] });
  await tx.rows.removeObservations(observations);
  if (removed.length > 0) {
    await tx.rows.putNodes([withoutProps(node, new Set(removed.map(({ key }) => key)))]);
    await rejectKeyProperty(tx, node, removed);
  }
  return [...gone];
}

/** The graph schema would restore the key, so it only seems deleted. */
async function rejectKeyProperty(
  { rows }: Transaction,
  { id, name }: Node,
  removed: readonly ShownProp[],
): Promise<void> {
  const [left] = await rows.nodesById([id]);
  const kept = removed.find(({ key }) => left !== undefined && Object.hasOwn(left.props, key));
  if (kept === undefined) return;
  throw new TrellisError(
    'SCHEMA_VIOLATION',
    `${JSON.stringify(kept.text)} is the key of ${JSON.stringify(name)} and cannot be deleted while the node exists.`,
    { hint: 'Nothing was deleted. Omit it, or delete the node.' },
  );
}

function withoutProps(node: Node, keys: ReadonlySet<string>): Node {
  const props = Object.fromEntries(Object.entries(node.props).filter(([key]) => !keys.has(key)));
  return { ...node, props, provenance: retainProvenance(node, props) };
}
