import { retry } from '../../bounds/retry.js';
import type { EdgeIdentity } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { NodeId } from '../../model/node.js';
import type { Reader } from '../reader.js';
import { TouchedSet } from '../sql/commits/touched-set.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import { SqlReader } from '../sql/sql-reader.js';
import type { WriteTouches } from './group-commit.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { sqliteDialect } from './sqlite-dialect.js';

/** What a batch of writes has changed, inside its still open transaction. */
export interface BatchChanges {
  readonly graph: string;
  /** Nodes whose row or observations changed, created and removed ones included. */
  readonly nodes: readonly NodeId[];
  readonly edges: readonly EdgeIdentity[];
  readonly seq: number;
  /** Sees the batch's own changes. */
  readonly reader: Reader;
}

/** Wraps each batch of writes of an in-memory store: this is how the JSONL store makes them durable. */
export interface BatchInterceptor {
  /** Before the transaction begins; a rejection fails every write of the batch. */
  begin(): Promise<void>;
  /**
   * Inside the transaction, after its last write and only if something changed; a rejection rolls the batch back, and
   * `ConcurrentChangeError` has it repeated.
   */
  beforeCommit(changes: BatchChanges): Promise<void>;
  /** After the transaction ended, either way, if `begin` had succeeded. */
  end(committed: boolean): Promise<void>;
}

/** Others changed what a batch was built on: nothing was written, and repeating it may succeed. */
export class ConcurrentChangeError extends TrellisError {
  constructor(message: string, path: string) {
    super('STORE_BUSY', message, { hint: 'Call again.', details: { path } });
  }
}

/** Runs a batch between `begin` and `end` of the interceptor; again after a concurrent change. */
export function runIntercepted<T>(interceptor: BatchInterceptor, batch: () => Promise<T>): Promise<T> {
  const isTransient = (error: unknown) => error instanceof ConcurrentChangeError;
  return retry(() => runOnce(interceptor, batch), { isTransient, delayMs: 25, maxDelayMs: 25, attempts: 20 });
}

async function runOnce<T>(interceptor: BatchInterceptor, batch: () => Promise<T>): Promise<T> {
  await interceptor.begin();
  let committed = false;
  try {
    const result = await batch();
    committed = true;
    return result;
  } finally {
    await interceptor.end(committed);
  }
}

/** Shows the interceptor what a batch touched, if anything, while its transaction is still open. */
export async function notifyInterceptor(
  interceptor: BatchInterceptor,
  connection: SqliteConnection,
  touches: readonly WriteTouches[],
): Promise<void> {
  const [first] = touches;
  if (first === undefined) return;
  const lineage = await new GraphCatalog(connection).lineage({ graph: first.graph });
  const all = new TouchedSet();
  for (const { touched } of touches) {
    all.addNodes(touched.nodes);
    all.addEdges(touched.edges);
  }
  await interceptor.beforeCommit({
    graph: first.graph,
    seq: lineage.levels[0].seq,
    nodes: [...all.nodes],
    edges: all.edges,
    reader: new SqlReader(connection, sqliteDialect, lineage),
  });
}
