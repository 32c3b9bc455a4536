import type { Author, Commit } from '../model/commit.js';
import type { Branch, GraphRecord } from '../model/graph-record.js';
import type { Rejection, RejectionDraft } from '../model/rejection.js';
import type { KnownRows, NodeDraft } from './drafts.js';
import type { GraphListener } from './graph-change.js';
import type { ReadTarget, WriteTarget } from './graph-targets.js';
import type { CollectOptions, CollectResult, PurgeOptions, PurgeResult, StoreSize } from './maintenance.js';
import type { ReadOptions } from './read-options.js';
import type { CommitQuery, RejectionPage } from './read-requests.js';
import type { BranchCommits, TouchedByCommit } from './read-results.js';
import type { Reader } from './reader.js';
import type { StagedNodes } from './staged-nodes.js';
import type { VectorStore } from './vector-store.js';
import type { CommitOverrides, PlannedWrite, PlannedWriteResult, WriteResult } from './write-result.js';
import type { RowWriter, Writer } from './writer.js';

export interface Capabilities {
  readonly graphs: boolean;
  /** Branches, and reads at a commit that another process made. */
  readonly branches: boolean;
  readonly rejections: boolean;
  readonly schemas: boolean;
}

/** Every implementation passes `test/store/conformance`. */
export interface Store {
  readonly kind: 'sqlite' | 'jsonl' | 'postgres';
  readonly capabilities: Capabilities;
  /** For people: a path, or a URL without its password. */
  readonly location: string;
  /** Writes of this process that wait in a queue. */
  readonly waitingWrites: number;
  /** Null if the store cannot keep vectors. */
  readonly vectors: VectorStore | null;

  /** Queries are likely, which run in other processes on SQLite: the first may be started in advance. */
  expectQueries?(): void;

  graphs(): Promise<GraphRecord[]>;
  createGraph(name: string): Promise<GraphRecord>;
  /** The old name throws `GRAPH_NOT_FOUND` from then on. */
  renameGraph(name: string, to: string): Promise<GraphRecord>;
  /** Its name is free at once, its rows go in batches; none is left at the end. After an interruption, call it again. */
  deleteGraph(name: string): Promise<void>;

  branches(graph: string): Promise<Branch[]>;
  /** Forks the head of a branch; costs one row. */
  createBranch(graph: string, name: string, from?: string): Promise<Branch>;
  /** Refuses `main` and branches with forks; with `made`, also one that is not in the state in which it was made. */
  deleteBranch(graph: string, name: string, made?: Branch): Promise<Branch>;
  commit(graph: string, id: string): Promise<Commit>;
  /** Newest first, including what was merged into the branch. */
  commits(target: WriteTarget, page?: CommitQuery): Promise<Commit[]>;
  /** How many commits that history has. */
  countCommits(target: WriteTarget): Promise<number>;
  /** Commits of all branches that are not deleted, oldest first. */
  commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]>;
  /** Commits of a branch and, up to the fork, of those it was forked from, with a seq of at least `from`; oldest first. */
  commitsOnBranch(target: WriteTarget, from: number, limit: number): Promise<BranchCommits>;
  touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit>;

  /** Reads one consistent state with all acknowledged writes; waits for no writer. Once cancelled, it rejects at once. */
  read<T>(target: ReadTarget, work: (reader: Reader) => Promise<T>, options?: ReadOptions): Promise<T>;

  /**
   * Runs `work` as one transaction and one commit: durable when the promise resolves, without a trace when it rejects.
   * `work` may run more than once, and must await nothing but its writer.
   */
  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitOverrides,
  ): Promise<WriteResult<T>>;

  /** The same for a large write that was planned before, so that others wait for it as little as possible. */
  writePlanned<T>(
    target: WriteTarget,
    author: Author,
    planned: PlannedWrite<T>,
    stamp?: CommitOverrides,
  ): Promise<PlannedWriteResult<T>>;

  /**
   * Runs `work` as a write would run, and keeps nothing of it. It is a read, `linear` unless stated otherwise: it waits for
   * no writer, and no writer for it.
   */
  rehearse<T>(
    target: WriteTarget,
    work: (writer: RowWriter, reader: Reader) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T>;

  /**
   * Works out new versions of nodes before the write that puts them, so that others wait less for it; pass them to `putNodes`,
   * and release them afterwards. Undefined if that would not help.
   */
  stageNodes(
    target: WriteTarget,
    drafts: readonly NodeDraft[],
    known: KnownRows,
  ): Promise<StagedNodes | undefined>;

  /**
   * Reports what happens to a graph: what this store does at once, and once the promise has resolved, within a second what other
   * processes do. Several commits of others may be reported as one. Resolves with a function that ends the watch.
   */
  watch(graph: string, listener: GraphListener): Promise<() => void>;

  /** Keeps a rejected write outside the graph and its history. Only the newest of each graph are kept, see `StoreOptions`. */
  keepRejection(graph: string, rejection: RejectionDraft): Promise<void>;
  rejections(graph: string, page?: RejectionPage): Promise<Rejection[]>;

  /** Drops versions that no branch, recent commit or merge needs. Records of commits and identities stay. */
  collect(graph: string, options: CollectOptions): Promise<CollectResult>;

  /** Replaces a text in every version on every branch, and overwrites free space as far as the database can. */
  purge(graph: string, options: PurgeOptions): Promise<PurgeResult>;

  size(): Promise<StoreSize>;
  check(): Promise<string[]>;
  /** What could be better about the store without being wrong. */
  advice(): Promise<string[]>;
  /** Of the database server and its extensions, by name, such as `PostgreSQL: 17.11`. */
  versions?(): Promise<ReadonlyMap<string, string>>;
  /** Where the data is, if there is more than one way. */
  layout?(): Promise<string>;
  close(): Promise<void>;
}
