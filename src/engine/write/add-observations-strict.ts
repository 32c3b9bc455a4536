import { TrellisError } from '../../model/error.js';
import type { NodeId } from '../../model/node.js';
import type { Provenance } from '../../model/provenance.js';
import { renderProps } from '../../model/render-props.js';
import { checkFact } from '../../model/text.js';
import type { ObservationDraft } from '../../store/drafts.js';
import type { Transaction } from '../graph.js';
import type { NodeName } from '../specs.js';
import { NodesByName } from './nodes-by-name.js';

export interface NodeObservations extends NodeName {
  readonly texts: readonly string[];
  readonly origin?: Provenance | undefined;
}

/** Adds the texts each node does not have yet; one unknown node fails the call. */
export async function addObservationsStrict(
  tx: Transaction,
  items: readonly NodeObservations[],
  notFound: (name: NodeName) => never = entityNotFound,
): Promise<NodeObservations[]> {
  for (const { name, texts } of items) {
    for (const text of texts) checkFact(text, `An observation of ${JSON.stringify(name)}`);
  }
  return addObservationsStrictUnchecked(tx, items, notFound);
}

/** For texts that the caller has validated. */
export async function addObservationsStrictUnchecked(
  tx: Transaction,
  items: readonly NodeObservations[],
  notFound: (name: NodeName) => never = entityNotFound,
): Promise<NodeObservations[]> {
  const nodes = await NodesByName.load(tx.rows, items);
  const known = new Map<NodeId, Set<string>>();
  const targets = items.map((item) => {
    const node = nodes.real(item) ?? notFound(item);
    const has = known.get(node.id) ?? new Set(renderProps(node));
    known.set(node.id, has);
    return { item, id: node.id, has };
  });
  const texts = [...new Set(items.flatMap((item) => item.texts))];
  for (const { node, text } of await tx.rows.observationsOf([...known.keys()], texts))
    known.get(node)?.add(text);

  const drafts: ObservationDraft[] = [];
  const added = targets.map(({ item, id, has }) => {
    const fresh = item.texts.filter((text) => !has.has(text) && has.add(text));
    if (fresh.length > 0) tx.announce('addObservations', { name: item.name, texts: fresh });
    const { origin: provenance = null } = item;
    for (const text of fresh) drafts.push({ node: id, text, provenance });
    return { name: item.name, texts: fresh };
  });
  await tx.rows.putObservations(drafts);
  return added;
}

/** Worded like the MCP reference memory server. */
function entityNotFound({ name, type }: NodeName): never {
  const of = type === undefined ? '' : ` and type ${type}`;
  throw new TrellisError('NOT_FOUND', `Entity with name ${name}${of} not found`, { details: { name } });
}
