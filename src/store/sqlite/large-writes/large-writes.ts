import type { Author } from '../../../model/commit.js';
import type { WriteTarget } from '../../graph-targets.js';
import type { Executor } from '../../sql/executor.js';
import { StagedNodeRows } from '../../sql/write/staged-node-rows.js';
import { type CommittedWrite, type WriteContext, writeCommit } from '../../sql/write/write-commit.js';
import type { StagedNodes } from '../../staged-nodes.js';
import type { CommitOverrides, WriteResult } from '../../write-result.js';
import type { Writer } from '../../writer.js';
import type { WriteTouches } from '../group-commit.js';
import type { SqliteConnection } from '../sqlite-connection.js';
import type { LargeCommitCheckpointer } from './large-commit-checkpointer.js';
import { WriteThread } from './write-thread.js';

/** For fewer rows, starting a thread is not worth it. */
const fewestRows = 1_000;

interface LargeWritesOptions {
  readonly path: string;
  /** The connection that makes all other writes. */
  readonly writer: SqliteConnection;
  readonly checkpointer: LargeCommitCheckpointer;
  readonly contextOf: (executor: Executor) => WriteContext;
  /** Throws if the file was replaced. */
  readonly checkFresh: () => void;
  /** Called when a write is durable, before the next one. */
  readonly committed: (touches: readonly WriteTouches[]) => void;
}

/** The parameters of `Store.write`. */
export type LargeWrite<T> = readonly [
  target: WriteTarget,
  author: Author,
  work: (writer: Writer) => Promise<T>,
  stamp?: CommitOverrides | undefined,
];

/** Writes that a thread of their own makes, one at a time, while no other write of this process runs. */
export class LargeWrites {
  readonly #options: LargeWritesOptions;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: LargeWritesOptions) {
    this.#options = options;
  }

  /**
   * A merge without staged rows asks for so much that waiting for the answers of a thread would take longer than SQLite does
   * on this one.
   */
  suits({ rows = 0 }: WriteTarget): boolean {
    return rows >= fewestRows;
  }

  run<T>(...write: LargeWrite<T>): Promise<WriteResult<T>> {
    const running = this.#run(...write);
    this.#running.add(running);
    const ended = () => this.#running.delete(running);
    running.then(ended, ended);
    return running;
  }

  /** Resolves when all of them have ended. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #run<T>(...[target, author, work, stamp]: LargeWrite<T>): Promise<WriteResult<T>> {
    const { path, writer, contextOf, checkFresh } = this.#options;
    const prepared = target.staged?.map(threadOf).find((found) => found !== undefined);
    const thread = prepared ?? new WriteThread(path);
    const write = async () => {
      const written = await writeCommit(contextOf(thread), target, author, work, stamp);
      checkFresh();
      return written;
    };
    try {
      const { result, commit } = await writer.exclusive(
        () => this.#commit(thread, target.graph, write),
        author.actor,
      );
      return { result, commit };
    } finally {
      if (prepared === undefined) await thread.close();
    }
  }

  async #commit<T>(
    thread: WriteThread,
    graph: string,
    write: () => Promise<CommittedWrite<T>>,
  ): Promise<CommittedWrite<T>> {
    const { checkpointer, committed } = this.#options;
    checkpointer.expectLarge();
    try {
      const written = await thread.transaction(write);
      const { commit, touched } = written;
      if (commit !== null) committed([{ graph, touched, commit }]);
      return written;
    } finally {
      checkpointer.committed();
    }
  }
}

function threadOf(staged: StagedNodes): WriteThread | undefined {
  return staged instanceof StagedNodeRows && staged.executor instanceof WriteThread
    ? staged.executor
    : undefined;
}
