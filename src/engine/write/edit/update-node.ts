import { checkProps } from '../../../model/check-props.js';
import type { Props } from '../../../model/json.js';
import type { Node } from '../../../model/node.js';
import { patchProps } from '../../../model/patch-props.js';
import { findStampCollision, retainProvenance } from '../../../model/provenance.js';
import { stampCollisionError } from '../../../model/stamp-collision-error.js';
import { checkName, checkText } from '../../../model/text.js';
import type { Writer } from '../../../store/writer.js';
import type { Transaction } from '../../graph.js';
import { sameNodeRow } from '../../history/graph-diff.js';
import { claimStubs, renameEnds, resolveRenamedIds } from '../assign-node-ids.js';
import { nodesExist } from '../create-nodes-strict.js';
import { NodesByName } from '../nodes-by-name.js';
import { distinctTags } from '../set-tags.js';
import type { NodeChanges } from './edit-operation.js';

export async function updateNode(tx: Transaction, node: Node, set: NodeChanges): Promise<void> {
  const { rows } = tx;
  const { name = node.name, type = node.type, tags } = set;
  if (set.name !== undefined) checkName(name, 'The name of a node');
  if (set.type !== undefined) checkName(type, `The type of ${JSON.stringify(name)}`);
  const props = set.props === undefined ? node.props : await changedProps(rows, node, checkProps(set.props));
  const changed: Node = {
    ...{ ...node, name, type, props, provenance: retainProvenance(node, props) },
    ...(tags === undefined ? {} : { tags: distinctTags(tags, name) }),
    ...(set.summary === undefined ? {} : await changedSummary(rows, node, set.summary ?? '')),
  };
  if (sameNodeRow(node, changed)) return;
  tx.announce('updateNodes', { updates: [{ name: node.name }] });
  if (name === node.name && type === node.type) return rows.putNodes([changed]);
  await renameNode(rows, node, changed);
}

async function changedProps(rows: Writer, { props, provenance, type }: Node, set: Props): Promise<Props> {
  const field = (await rows.schema()) === null ? findStampCollision(set, provenance) : undefined;
  if (field !== undefined) throw stampCollisionError('', type, field);
  return patchProps(props, set);
}

async function changedSummary(
  rows: Writer,
  { id, name }: Node,
  summary: string,
): Promise<Pick<Node, 'summary' | 'summaryUpdatedAt'>> {
  if (summary === '') return { summary: null, summaryUpdatedAt: null };
  checkText(summary, `The summary of ${JSON.stringify(name)}`);
  const newest = (await rows.tallyObservations([id])).get(id)?.newest ?? 0;
  return { summary, summaryUpdatedAt: Math.max(rows.now, newest) };
}

/** Another name or type is another identity of the node, which its edges name. */
async function renameNode(rows: Writer, node: Node, changed: Node): Promise<void> {
  const { name, type } = changed;
  const there = await NodesByName.load(rows, [{ name }]);
  if (there.exists({ name, type })) throw nodesExist([name]);
  const observations = await rows.observationsOf([node.id]);
  const other = (await resolveRenamedIds(rows, [{ node, type, name }])).get(node.id);
  const id = other ?? node.id;
  await claimStubs(rows, [{ id, name }], there);
  await rows.putNodes([{ ...changed, id }]);
  // A node that took another id has none of its observations yet.
  if (other !== undefined)
    await rows.putObservations(
      observations.map(({ text, provenance, createdAt }) => ({ node: other, text, provenance, createdAt })),
    );
  if (name !== node.name) await renameEnds(rows, [{ id, name }]);
}
