import { type NodeId, stubType } from '../../model/node.js';
import { registryType } from '../../model/registry-node.js';
import { checkName, checkShortText } from '../../model/text.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { Writer } from '../../store/writer.js';
import type { Transaction } from '../graph.js';
import { type EdgeSpec, edgeEnds } from '../specs.js';
import { missingNodeId, refuseFormerNames } from './assign-node-ids.js';
import { edgeDraft, findNewEdges } from './find-new-edges.js';
import { NodesByName, nodeNotFound } from './nodes-by-name.js';

/** Creates missing edges; a missing end becomes a stub. Returns the created ones. */
export async function createEdgesWithStubs(
  tx: Transaction,
  specs: readonly EdgeSpec[],
): Promise<readonly EdgeSpec[]> {
  for (const spec of specs) checkSpec(spec);
  return createEdgesWithStubsUnchecked(tx, specs);
}

/** For edges that the caller has validated. */
export async function createEdgesWithStubsUnchecked<S extends EdgeSpec>(
  tx: Transaction,
  specs: readonly S[],
  described: (spec: S) => Pick<EdgeDraft, 'props' | 'provenance'> = () => ({}),
): Promise<readonly S[]> {
  const ends = await NodesByName.loadEnds(tx.rows, specs);
  const { fresh } = await findNewEdges(tx.rows, specs, ends);
  if (fresh.length === 0) return [];
  tx.announce('createEdges', { edges: fresh });
  await addStubs(tx.rows, fresh, ends);
  await tx.rows.putEdges(fresh.map((spec) => ({ ...edgeDraft(spec, ends), ...described(spec) })));
  return fresh;
}

function checkSpec(spec: EdgeSpec): void {
  checkName(spec.from, 'The from of a relation');
  checkName(spec.to, 'The to of a relation');
  checkShortText(spec.type, 'The type of a relation');
}

/**
 * An end named with its type must exist. A stub takes the node its name last meant, so that a name on two branches is
 * the same node, but never an entry of the gate registry, nor a node that was renamed: its names may each need a stub.
 */
async function addStubs(rows: Writer, specs: readonly EdgeSpec[], ends: NodesByName): Promise<void> {
  const missing = specs
    .flatMap((spec) => Object.values(edgeEnds(spec)))
    .filter((end) => ends.realOrStub(end) === undefined);
  for (const end of missing) if (end.type !== undefined) nodeNotFound(end);
  const names = [...new Set(missing.map(({ name }) => name))];
  if (names.length === 0) return;
  const identities = (await rows.identitiesNamed(names)).filter(({ type }) => type !== registryType);
  const last = new Map(identities.map(({ name, node }) => [name, node]));
  await refuseFormerNames(
    rows,
    [...last].map(([name, id]) => [id, name]),
  );
  const renamed = await renamedAmong(rows, [...last.values()]);
  const known = new Map(
    identities
      .filter(({ type, node }) => type === stubType || !renamed.has(node))
      .map(({ name, node }) => [name, node]),
  );
  const added = await rows.addIdentities(
    names.filter((name) => !known.has(name)).map((name) => ({ type: stubType, name })),
  );
  for (const identity of added) known.set(identity.name, identity.node);
  await rows.putNodes(
    names.map((name) => ({ id: known.get(name) ?? missingNodeId(name), type: stubType, name, stub: true })),
  );
  for (const node of await rows.nodesNamed(names)) ends.add(node);
}

/** Those of the nodes that have had several names. */
async function renamedAmong(rows: Writer, ids: readonly NodeId[]): Promise<ReadonlySet<NodeId>> {
  const renamed = new Set<NodeId>();
  if (ids.length === 0) return renamed;
  const names = new Map<NodeId, string>();
  for (const { node, name } of await rows.identitiesOf(ids)) {
    const other = names.get(node);
    if (other === undefined) names.set(node, name);
    else if (other !== name) renamed.add(node);
  }
  return renamed;
}
