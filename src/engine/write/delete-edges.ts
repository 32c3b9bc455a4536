import type { EdgeIdentity } from '../../model/edge.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec } from '../specs.js';
import { NodesByName } from './find-node.js';
import { tripleKey } from './new-edges.js';
import { removeIdleStubs } from './remove-idle-stubs.js';

export interface DeletedEdges {
  readonly asked: number;
  readonly deleted: readonly EdgeSpec[];
  readonly notFound: readonly EdgeSpec[];
}

/** Deletes edges by exact (from, type, to). */
export async function deleteEdges(tx: Transaction, specs: readonly EdgeSpec[]): Promise<DeletedEdges> {
  const ends = await NodesByName.of(
    tx.rows,
    specs.flatMap((spec) => [spec.from, spec.to]),
  );
  const missing = new Map<string, EdgeSpec>();
  const identities: EdgeIdentity[] = [];
  for (const { from, to, type } of specs) {
    const triple = tripleKey({ from, to, type });
    if (missing.has(triple)) continue;
    missing.set(triple, { from, to, type });
    const fromNode = ends.realOrStub(from);
    const toNode = ends.realOrStub(to);
    if (fromNode && toNode) identities.push({ from: fromNode.id, to: toNode.id, type, key: '' });
  }
  const asked = missing.size;
  const found = await tx.rows.edgesByIdentity(identities);
  const deleted = found.map((edge) => ({ from: edge.fromName, to: edge.toName, type: edge.type }));
  for (const edge of deleted) missing.delete(tripleKey(edge));
  if (found.length > 0) {
    tx.announce('deleteEdges', { edges: deleted });
    await tx.rows.removeEdges(found);
    await removeIdleStubs(tx.rows, found);
  }
  return { asked, deleted, notFound: [...missing.values()] };
}
