import type pg from 'pg';
import { FairSemaphore, type SlotLimits, type SlotRequest } from '../../bounds/fair-semaphore.js';
import type { ReadTarget } from '../graph-targets.js';
import { ReadCancellation } from '../read-cancellation.js';
import type { ReadOptions } from '../read-options.js';
import { RunningReads } from '../running-reads.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import type { Lineage } from '../sql/lineage.js';
import { CancellableReads } from './cancellable-reads.js';
import type { PgExecutor } from './pg-executor.js';
import { ReadReplica } from './read-replica.js';
import { SnapshotReads } from './snapshot-reads.js';
import type { WorkTracker } from './work-tracker.js';

/** Some connections are left to writes, no kind of read gets more than half, and no actor all that long reads may take. */
function readSlots(connections: number): SlotLimits {
  const half = Math.max(1, Math.floor(connections / 2));
  return { max: Math.max(1, connections - 2), maxLong: half, maxPerActor: Math.max(1, half - 1) };
}

/** The pools that reads get their connections from. */
export interface ReadPools {
  readonly pool: pg.Pool;
  readonly replica: pg.Pool | undefined;
}

/** Reads wait for a connection by actor. Long ones can be ended, and go to the replica if there is one. */
export class PostgresReads {
  readonly replica: ReadReplica | undefined;
  readonly #work: WorkTracker;
  readonly #slots: FairSemaphore;
  readonly #snapshots: SnapshotReads;
  readonly #cancellable: CancellableReads;
  readonly #longReads = new RunningReads();

  constructor({ pool, replica }: ReadPools, work: WorkTracker, warn: (message: string) => void) {
    this.replica = replica && new ReadReplica(pool, replica, readSlots(replica.options.max), warn);
    this.#work = work;
    this.#slots = new FairSemaphore(readSlots(pool.options.max));
    this.#snapshots = new SnapshotReads(pool);
    this.#cancellable = new CancellableReads(pool);
  }

  async run<T>(
    target: ReadTarget,
    { length = 'short', actor = '', ...options }: ReadOptions,
    show: (executor: PgExecutor, lineage: Lineage) => Promise<T>,
  ): Promise<T> {
    const request = { actor, graph: target.graph, isLong: length !== 'short' };
    if (length === 'short') {
      return this.#work.read(() =>
        runInSlot(this.#slots, request, undefined, () => this.#snapshots.run(target, show)),
      );
    }
    const cancellation = new ReadCancellation(options);
    const attempt = async () => {
      const { slots, reads } = await this.#placeForLongReads();
      return runInSlot(slots, request, cancellation.signal, () =>
        reads.run(cancellation, async (executor) =>
          show(executor, await new GraphCatalog(executor).lineage(target)),
        ),
      );
    };
    return cancellation.run(options.signal, () =>
      this.#longReads.run(cancellation, () => this.#work.read(attempt)),
    );
  }

  /** Ends long reads, and refuses more. */
  endLongReads(): void {
    this.#longReads.close();
  }

  async #placeForLongReads(): Promise<Pick<ReadReplica, 'slots' | 'reads'>> {
    if (this.replica !== undefined && (await this.replica.hasCaughtUp())) return this.replica;
    return { slots: this.#slots, reads: this.#cancellable };
  }
}

async function runInSlot<T>(
  slots: FairSemaphore,
  request: SlotRequest,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  const release = await slots.acquire(request, signal);
  try {
    return await read();
  } finally {
    release();
  }
}
