import { edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import { checkName, checkShortText } from '../../model/text.js';
import type { EdgeDraft, Writer } from '../../store/contract.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec } from '../specs.js';
import { NodesByName } from './find-node.js';

/** Creates edges that are not there yet; an end that is no node becomes a stub. Answers those it created. */
export async function createEdges(tx: Transaction, specs: readonly EdgeSpec[]): Promise<EdgeSpec[]> {
  for (const spec of specs) checkSpec(spec);
  const ends = await NodesByName.of(
    tx.rows,
    specs.flatMap((spec) => [spec.from, spec.to]),
  );
  const fresh = await notThereYet(tx.rows, specs, ends);
  if (fresh.length === 0) return [];
  tx.announce('createEdges', { edges: fresh });
  await addStubs(tx.rows, fresh, ends);
  await tx.rows.putEdges(fresh.map((spec) => draft(spec, ends)));
  return fresh;
}

function checkSpec(spec: EdgeSpec): void {
  checkName(spec.from, 'The from of a relation');
  checkName(spec.to, 'The to of a relation');
  checkShortText(spec.type, 'The type of a relation');
}

async function notThereYet(rows: Writer, specs: readonly EdgeSpec[], ends: NodesByName): Promise<EdgeSpec[]> {
  const triples = new Map<string, EdgeSpec>();
  for (const { from, to, type } of specs) triples.set(JSON.stringify([from, type, to]), { from, to, type });
  const candidates = [...triples.values()].map((spec) => {
    const from = ends.realOrStub(spec.from);
    const to = ends.realOrStub(spec.to);
    return {
      spec,
      identity: from && to ? { from: from.id, to: to.id, type: spec.type, key: '' } : undefined,
    };
  });
  const identities = candidates.flatMap(({ identity }) => (identity === undefined ? [] : [identity]));
  const present = new Set((await rows.edgesByIdentity(identities)).map(edgeKey));
  return candidates
    .filter(({ identity }) => identity === undefined || !present.has(edgeKey(identity)))
    .map(({ spec }) => spec);
}

/** A stub takes the node its name last meant, so that the same name on two branches is the same node. */
async function addStubs(rows: Writer, specs: readonly EdgeSpec[], ends: NodesByName): Promise<void> {
  const names = [...new Set(specs.flatMap((spec) => [spec.from, spec.to]))].filter(
    (name) => ends.realOrStub(name) === undefined,
  );
  if (names.length === 0) return;
  const known = new Map(
    (await rows.identitiesNamed(names)).map((identity) => [identity.name, identity.node]),
  );
  const added = await rows.addIdentities(
    names.filter((name) => !known.has(name)).map((name) => ({ type: stubType, name })),
  );
  for (const identity of added) known.set(identity.name, identity.node);
  await rows.putNodes(
    names.map((name) => ({ id: known.get(name) as number, type: stubType, name, stub: true })),
  );
  for (const node of await rows.nodesNamed(names)) ends.add(node);
}

/** The type of a node nobody has described yet. */
const stubType = '';

function draft(spec: EdgeSpec, ends: NodesByName): EdgeDraft {
  const from = end(ends, spec.from);
  const to = end(ends, spec.to);
  return { from: from.id, to: to.id, type: spec.type, key: '', fromName: from.name, toName: to.name };
}

function end(ends: NodesByName, name: string): Node {
  const node = ends.realOrStub(name);
  if (node === undefined) throw new TrellisError('INTERNAL', `No node or stub was made for ${name}.`);
  return node;
}
