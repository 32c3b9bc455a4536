import { checkProps } from '../../../model/check-props.js';
import { TrellisError } from '../../../model/error.js';
import { patchProps } from '../../../model/patch-props.js';
import { checkFact, checkName, checkShortText, checkText } from '../../../model/text.js';
import type { Transaction } from '../../graph.js';
import type { EdgeSpec } from '../../specs.js';
import { addObservationsStrict } from '../add-observations-strict.js';
import { createEdgesStrict } from '../create-edges-strict.js';
import { createKeyedNode } from '../create-keyed-node.js';
import { nodesExist } from '../create-nodes-strict.js';
import { deleteEdges } from '../delete-edges.js';
import { deleteNodes } from '../delete-nodes.js';
import { deleteObservationsByOrdinal } from '../delete-observations-by-ordinal.js';
import { formatEdge } from '../find-new-edges.js';
import { NodesByName, nodeNotFound } from '../nodes-by-name.js';
import { observationNotFound, replaceObservation } from '../replace-observation.js';
import { distinctTags } from '../set-tags.js';
import type { EditOperation, NewEdge, NewNode } from './edit-operation.js';
import { requireUnchanged } from './require-unchanged.js';
import { updateNode } from './update-node.js';

/** Does one thing after the other, and throws at the first that is impossible. */
export async function editGraph(tx: Transaction, operations: readonly EditOperation[]): Promise<void> {
  for (const operation of operations) await edit(tx, operation);
}

async function edit(tx: Transaction, operation: EditOperation): Promise<void> {
  if (operation.op === 'add_node') return addNode(tx, operation.node);
  if (operation.op === 'add_edge') return addEdge(tx, operation.edge);
  if (operation.op === 'delete_edge') return deleteEdge(tx, operation.edge);
  const node = await requireUnchanged(tx.rows, operation.target);
  const { name, type } = node;
  switch (operation.op) {
    case 'update_node':
      return updateNode(tx, node, operation.set);
    case 'delete_node':
      await deleteNodes(tx, [name], { stubs: false, type });
      return;
    case 'add_observations':
      await addObservationsStrict(tx, [{ name, type, texts: operation.texts }], nodeNotFound);
      return;
    case 'replace_observation':
      await replaceObservation(tx, { name, type }, operation.ordinal, operation.text);
      return;
    case 'delete_observations': {
      const { ordinals } = operation;
      const [done] = await deleteObservationsByOrdinal(tx, [{ name, type, ordinals }]);
      const [missing] = done?.notFound ?? [];
      if (missing !== undefined) throw observationNotFound(name, missing);
      return;
    }
  }
}

async function addNode(tx: Transaction, node: NewNode): Promise<void> {
  const { name, type, observations = [], summary, tags } = node;
  checkName(name, 'The name of a node');
  checkName(type, `The type of ${JSON.stringify(name)}`);
  if (summary !== undefined) checkText(summary, `The summary of ${JSON.stringify(name)}`);
  for (const text of observations) checkFact(text, `An observation of ${JSON.stringify(name)}`);
  const nodes = await NodesByName.load(tx.rows, [{ name }]);
  if (nodes.exists({ name, type })) throw nodesExist([name]);
  const { id } = await createKeyedNode(
    tx,
    {
      ...{ type, names: [name], props: patchProps({}, checkProps(node.props ?? {})) },
      ...(summary === undefined || summary === '' ? {} : { summary }),
      ...(tags === undefined ? {} : { tags: distinctTags(tags, name) }),
    },
    { name, nodes },
  );
  await tx.rows.putObservations([...new Set(observations)].map((text) => ({ node: id, text })));
}

async function addEdge(tx: Transaction, { props, ...edge }: NewEdge): Promise<void> {
  if (edge.key !== undefined) checkShortText(edge.key, 'The key of an edge');
  const spec = props === undefined ? edge : { ...edge, props: patchProps({}, checkProps(props)) };
  await createEdgesStrict(tx, [spec]);
}

async function deleteEdge(tx: Transaction, edge: EdgeSpec): Promise<void> {
  const { deleted } = await deleteEdges(tx, [edge]);
  if (deleted.length > 0) return;
  throw new TrellisError('NOT_FOUND', `Edge not found: ${formatEdge(edge)}`, {
    hint: 'Nothing was done. Names, types and keys must match exactly.',
  });
}
