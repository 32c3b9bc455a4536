import type { EdgeIdentity } from '../../model/edge.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec } from '../specs.js';
import { NodesByName } from './find-node.js';
import { removeIdleStubs } from './remove-idle-stubs.js';

export interface DeletedEdges {
  readonly asked: number;
  readonly deleted: readonly EdgeSpec[];
}

/** Deletes edges by exact (from, type, to). */
export async function deleteEdges(tx: Transaction, specs: readonly EdgeSpec[]): Promise<DeletedEdges> {
  const ends = await NodesByName.of(
    tx.rows,
    specs.flatMap((spec) => [spec.from, spec.to]),
  );
  const triples = new Set<string>();
  const identities: EdgeIdentity[] = [];
  for (const { from, to, type } of specs) {
    const triple = JSON.stringify([from, type, to]);
    if (triples.has(triple)) continue;
    triples.add(triple);
    const fromNode = ends.realOrStub(from);
    const toNode = ends.realOrStub(to);
    if (fromNode && toNode) identities.push({ from: fromNode.id, to: toNode.id, type, key: '' });
  }
  const found = await tx.rows.edgesByIdentity(identities);
  const deleted = found.map((edge) => ({ from: edge.fromName, to: edge.toName, type: edge.type }));
  if (found.length > 0) {
    tx.announce('deleteEdges', { edges: deleted });
    await tx.rows.removeEdges(found);
    await removeIdleStubs(tx.rows, found);
  }
  return { asked: triples.size, deleted };
}
