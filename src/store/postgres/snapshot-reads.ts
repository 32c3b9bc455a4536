import type pg from 'pg';
import { mainBranch } from '../../model/graph-record.js';
import type { ReadTarget } from '../graph-targets.js';
import { GraphCatalog, type ResolvedBranch } from '../sql/graph-catalog.js';
import type { Lineage } from '../sql/lineage.js';
import { sql } from '../sql/sql.js';
import { PgExecutor } from './pg-executor.js';
import { isLostConnection } from './postgres-errors.js';

/**
 * Reads in a snapshot of the database, since a head may move meanwhile, and a commit be collected. What the names of graph
 * and branch mean hardly ever changes: a read of a head starts with what they meant last, checks it along the way, and is
 * repeated if it was wrong. This saves a round trip.
 */
export class SnapshotReads {
  readonly #pool: pg.Pool;
  readonly #lineages = new Map<string, Lineage>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  run<T>(target: ReadTarget, work: (executor: PgExecutor, lineage: Lineage) => Promise<T>): Promise<T> {
    return readSnapshot(this.#pool, (executor) =>
      this.#show(new GraphCatalog(executor), target, (lineage) => work(executor, lineage)),
    );
  }

  async #show<T>(
    catalog: GraphCatalog,
    target: ReadTarget,
    work: (lineage: Lineage) => Promise<T>,
  ): Promise<T> {
    if (target.commit !== undefined) return work(await catalog.lineage(target));
    const key = JSON.stringify([target.graph, target.branch ?? mainBranch]);
    const remembered = this.#lineages.get(key);
    if (remembered !== undefined) {
      const [meant, done] = await Promise.allSettled([catalog.branch(target), work(remembered)]);
      if (meant.status === 'rejected') throw meant.reason;
      if (isSameBranch(meant.value, remembered)) {
        if (done.status === 'rejected') throw done.reason;
        return done.value;
      }
    }
    const lineage = await catalog.lineage(target);
    this.#lineages.set(key, lineage);
    return work(lineage);
  }
}

/** Runs statements on one snapshot and one connection, where they need not wait for each other's results. */
export async function readSnapshot<T>(pool: pg.Pool, work: (executor: PgExecutor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    const executor = new PgExecutor(client);
    return await inSnapshot(executor, () => work(executor));
  } catch (error) {
    broken = isLostConnection(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

export async function inSnapshot<T>(executor: PgExecutor, work: () => Promise<T>): Promise<T> {
  executor.run(sql`begin isolation level repeatable read, read only`);
  try {
    return await work();
  } finally {
    executor.run(sql`commit`);
  }
}

/** What a branch inherits never changes, so its id stands for all but the schema. */
function isSameBranch(
  { graphId, branch }: ResolvedBranch,
  { graph, levels: [head], schemaSeq }: Lineage,
): boolean {
  return graphId === graph && branch.id === head.branch && branch.schemaSeq === schemaSeq;
}
