import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeIdentity } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import { Catalog } from '../sql/catalog.js';
import { Touched } from '../sql/commits/touched.js';
import { SqlReader } from '../sql/sql-reader.js';
import { type BatchGuard, Overtaken } from './batch-guard.js';
import type { Connection } from './connection.js';
import { sqliteDialect } from './dialect.js';
import type { WriteTouch } from './group-commit.js';

/** How often a batch is tried while others keep changing what it is built on. */
const mostAttempts = 20;
const longestPauseMs = 50;

/** Runs a batch of writes between the beginning and the end of its guard, again if it was overtaken. */
export async function runGuarded<T>(guard: BatchGuard, batch: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(guard, batch);
    } catch (error) {
      if (!(error instanceof Overtaken) || attempt === mostAttempts) throw error;
    }
    // Random, so that it does not keep step with a program that writes at regular times.
    await sleep(Math.random() * longestPauseMs);
  }
}

async function runOnce<T>(guard: BatchGuard, batch: () => Promise<T>): Promise<T> {
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
