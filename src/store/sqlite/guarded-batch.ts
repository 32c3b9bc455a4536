import type { EdgeIdentity } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import { Catalog } from '../sql/catalog.js';
import { Touched } from '../sql/commits/touched.js';
import { SqlReader } from '../sql/sql-reader.js';
import type { BatchGuard } from './batch-guard.js';
import type { Connection } from './connection.js';
import { sqliteDialect } from './dialect.js';
import type { WriteTouch } from './group-commit.js';

/** Runs a batch of writes between the beginning and the end of its guard. */
export async function runGuarded(guard: BatchGuard, batch: () => Promise<void>): Promise<void> {
  await guard.begin();
  let committed = false;
  try {
    await batch();
    committed = true;
  } finally {
    await guard.end(committed);
  }
}

/** Has the guard see what a batch has touched, if anything, while its transaction is still open on the connection. */
export async function showGuard(
  guard: BatchGuard,
  connection: Connection,
  touches: readonly WriteTouch[],
): Promise<void> {
  const [first] = touches;
  if (first === undefined) return;
  const lineage = await new Catalog(connection).lineage({ graph: first.graph });
  await guard.beforeCommit({
    graph: first.graph,
    seq: lineage.levels[0].seq,
    ...together(touches),
    reader: new SqlReader(connection, sqliteDialect, lineage),
  });
}

function together(touches: readonly WriteTouch[]): { nodes: NodeId[]; edges: EdgeIdentity[] } {
  const all = new Touched();
  for (const { touched } of touches) {
    all.addNodes(touched.nodes);
    all.addEdges(touched.edges);
  }
  return { nodes: [...all.nodes], edges: all.edges };
}
