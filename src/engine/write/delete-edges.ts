import { type EdgeIdentity, edgeKey } from '../../model/edge.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec } from '../specs.js';
import { edgeIdentityOf } from './find-new-edges.js';
import { NodesByName } from './nodes-by-name.js';
import { removeUnreferencedStubs } from './remove-unreferenced-stubs.js';

interface DeletedEdges {
  readonly asked: number;
  readonly deleted: readonly EdgeSpec[];
  readonly notFound: readonly EdgeSpec[];
}

/** Deletes edges by exact (from, type, to, key); each counts once. */
export async function deleteEdges(tx: Transaction, specs: readonly EdgeSpec[]): Promise<DeletedEdges> {
  const ends = await NodesByName.loadEnds(tx.rows, specs);
  const missing = new Map<string, EdgeSpec>();
  const identities: EdgeIdentity[] = [];
  for (const spec of specs) {
    const { from, to, type } = spec;
    const identity = edgeIdentityOf(spec, ends);
    const key = identity === undefined ? JSON.stringify([from, type, to]) : edgeKey(identity);
    if (missing.has(key)) continue;
    missing.set(key, { from, to, type });
    if (identity !== undefined) identities.push(identity);
  }
  const asked = missing.size;
  const found = await tx.rows.edgesByIdentity(identities);
  const deleted = found.map((edge) => ({ from: edge.fromName, to: edge.toName, type: edge.type }));
  for (const edge of found) missing.delete(edgeKey(edge));
  if (found.length > 0) {
    tx.announce('deleteEdges', { edges: deleted });
    await tx.rows.removeEdges(found);
    await removeUnreferencedStubs(tx.rows, found);
  }
  return { asked, deleted, notFound: [...missing.values()] };
}
