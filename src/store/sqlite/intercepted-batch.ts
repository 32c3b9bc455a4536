import { retry } from '../../bounds/retry.js';
import type { EdgeIdentity } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import { TouchedSet } from '../sql/commits/touched-set.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import { SqlReader } from '../sql/sql-reader.js';
import { type BatchInterceptor, ConcurrentChangeError } from './batch-interceptor.js';
import type { WriteTouches } from './group-commit.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { sqliteDialect } from './sqlite-dialect.js';

/** Runs a batch of writes between the beginning and the end of its guard, again if it was overtaken. */
export function runIntercepted<T>(guard: BatchInterceptor, batch: () => Promise<T>): Promise<T> {
  const isTransient = (error: unknown) => error instanceof ConcurrentChangeError;
  return retry(() => runOnce(guard, batch), { isTransient, delayMs: 25, maxDelayMs: 25, attempts: 20 });
}

async function runOnce<T>(guard: BatchInterceptor, batch: () => Promise<T>): Promise<T> {
  await guard.begin();
  let committed = false;
  try {
    const result = await batch();
    committed = true;
    return result;
  } finally {
    await guard.end(committed);
  }
}

/** Has the guard see what a batch has touched, if anything, while its transaction is still open on the connection. */
export async function notifyInterceptor(
  guard: BatchInterceptor,
  connection: SqliteConnection,
  touches: readonly WriteTouches[],
): Promise<void> {
  const [first] = touches;
  if (first === undefined) return;
  const lineage = await new GraphCatalog(connection).lineage({ graph: first.graph });
  await guard.beforeCommit({
    graph: first.graph,
    seq: lineage.levels[0].seq,
    ...mergeTouches(touches),
    reader: new SqlReader(connection, sqliteDialect, lineage),
  });
}

function mergeTouches(touches: readonly WriteTouches[]): { nodes: NodeId[]; edges: EdgeIdentity[] } {
  const all = new TouchedSet();
  for (const { touched } of touches) {
    all.addNodes(touched.nodes);
    all.addEdges(touched.edges);
  }
  return { nodes: [...all.nodes], edges: all.edges };
}
