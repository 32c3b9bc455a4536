import type { Transaction } from '../graph.js';
import { NodesByName } from './find-node.js';
import { removeIdleStubs } from './remove-idle-stubs.js';

export interface DeletedNodes {
  readonly deleted: readonly string[];
  readonly notFound: readonly string[];
}

/** Deletes nodes by name, with their observations and every edge that touches them; of a stub, its edges. */
export async function deleteNodes(tx: Transaction, names: readonly string[]): Promise<DeletedNodes> {
  const asked = [...new Set(names)];
  const nodes = await NodesByName.of(tx.rows, asked);
  const found = asked.flatMap((name) => nodes.realOrStub(name) ?? []);
  const deleted = found.map((node) => node.name);
  if (found.length > 0) {
    tx.announce('deleteNodes', { names: deleted });
    const edges = await tx.rows.removeNodes(found.map((node) => node.id));
    await removeIdleStubs(tx.rows, edges);
  }
  return { deleted, notFound: asked.filter((name) => !deleted.includes(name)) };
}
