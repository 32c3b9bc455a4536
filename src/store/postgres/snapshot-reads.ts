import { mainBranch } from '../../model/graph-record.js';
import type { ReadTarget } from '../graph-targets.js';
import { GraphCatalog, type ResolvedBranch } from '../sql/graph-catalog.js';
import type { Lineage } from '../sql/lineage.js';
import { sql } from '../sql/sql.js';
import type { PgExecutor } from './pg-executor.js';

/**
 * Reads, each in a snapshot of the database: a head may move meanwhile, and a commit be collected. What the names of graph
 * and branch mean hardly ever changes, so a read of a head starts with what they meant last, asks along the way, and is
 * done again should that have been wrong: this saves every other read a round trip.
 */
export class SnapshotReads {
  readonly #lineages = new Map<string, Lineage>();

  run<T>(executor: PgExecutor, target: ReadTarget, work: (lineage: Lineage) => Promise<T>): Promise<T> {
    return inSnapshot(executor, () => this.#show(new GraphCatalog(executor), target, work));
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

export async function inSnapshot<T>(executor: PgExecutor, work: () => Promise<T>): Promise<T> {
  executor.run(sql`begin isolation level repeatable read, read only`);
  try {
    return await work();
  } finally {
    executor.run(sql`commit`);
  }
}

/** What a branch inherits never changes, so its id tells all but the schema. */
function isSameBranch(
  { graphId, branch }: ResolvedBranch,
  { graph, levels: [head], schemaSeq }: Lineage,
): boolean {
  return graphId === graph && branch.id === head.branch && branch.schemaSeq === schemaSeq;
}
