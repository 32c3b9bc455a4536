import type { Transaction } from '../graph.js';
import { NodesByName } from './nodes-by-name.js';
import { removeUnreferencedStubs } from './remove-unreferenced-stubs.js';

export interface DeletedNodes {
  readonly deleted: readonly string[];
  readonly notFound: readonly string[];
}

/** Deletes nodes by name with their observations and edges. A stub loses its edges, unless stubs count as missing. */
export async function deleteNodes(
  tx: Transaction,
  names: readonly string[],
  { stubs = true, type }: { readonly stubs?: boolean; readonly type?: string | undefined } = {},
): Promise<DeletedNodes> {
  const asked = [...new Set(names)];
  const nodes = NodesByName.from(await tx.rows.nodesNamed(asked));
  const found = asked.flatMap(
    (name) => (stubs ? nodes.realOrStub({ name, type }) : nodes.real({ name, type })) ?? [],
  );
  const deleted = found.map((node) => node.name);
  const gone = new Set(deleted);
  if (found.length > 0) {
    tx.announce('deleteNodes', { names: deleted });
    const edges = await tx.rows.removeNodes(found.map((node) => node.id));
    await removeUnreferencedStubs(tx.rows, edges);
  }
  return { deleted, notFound: asked.filter((name) => !gone.has(name)) };
}
