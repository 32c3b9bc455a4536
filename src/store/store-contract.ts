import type { Author, Commit } from '../model/commit.js';
import type { Branch, GraphRecord } from '../model/graph-record.js';
import type { Rejection, RejectionDraft } from '../model/rejection.js';
import type { ReadTarget, WriteTarget } from './graph-targets.js';
import type { CollectOptions, CollectResult, PurgeOptions, PurgeResult } from './maintenance.js';
import type { ReadOptions } from './read-options.js';
import type { RejectionPage } from './read-requests.js';
import type { TouchedByCommit } from './read-results.js';
import type { Reader } from './reader.js';
import type { VectorStore } from './vector-store.js';
import type { CommitOverrides, WriteResult } from './write-result.js';
import type { RowWriter, Writer } from './writer.js';

/** What a kind of store can do; the conformance suite runs what a store declares. */
export interface Capabilities {
  /** Several named graphs in one store. */
  readonly graphs: boolean;
  /** Branches, and reads at a commit that another process made. */
  readonly branches: boolean;
  /** Keeping the writes that were not let in. */
  readonly rejections: boolean;
  /** A schema that belongs to a graph. */
  readonly schemas: boolean;
}

/** A place where rows live. Every implementation passes `test/store/conformance`. */
export interface Store {
  readonly kind: 'sqlite' | 'jsonl' | 'postgres';
  readonly capabilities: Capabilities;
  /** Where the data is, for people: a path, or a URL without its password. */
  readonly location: string;
  /** Writes of this process that wait for their turn. */
  readonly waitingWrites: number;
  /** Where vectors are kept; null if the store cannot. */
  readonly vectors: VectorStore | null;

  graphs(): Promise<GraphRecord[]>;
  createGraph(name: string): Promise<GraphRecord>;
  /** Whoever knew it by its old name gets `GRAPH_NOT_FOUND` from then on. */
  renameGraph(name: string, to: string): Promise<GraphRecord>;
  /**
   * Deletes a graph with everything it ever held. It is gone at once, and its name free; its rows go in portions, and when
   * the promise resolves, none is left. Called again after an interruption, it removes what was left.
   */
  deleteGraph(name: string): Promise<void>;

  branches(graph: string): Promise<Branch[]>;
  /** Forks a branch from the head of another; costs one row. */
  createBranch(graph: string, name: string, from?: string): Promise<Branch>;
  /**
   * Hides a branch and frees its name. Refuses `main`, and a branch that others were forked from.
   *
   * @param made The branch as it was made: refuses one that was written to since, or that only has its name.
   */
  deleteBranch(graph: string, name: string, made?: Branch): Promise<Branch>;
  /** The record of a commit, whichever branch it is on. */
  commit(graph: string, id: string): Promise<Commit>;
  /** The history of a branch, with what was merged into it, newest first. */
  commits(target: WriteTarget, page?: { before?: number | undefined; limit?: number }): Promise<Commit[]>;
  /** Commits, of all branches that are not deleted, after a seq, oldest first: the graph's history as it happened. */
  commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]>;
  /** What a commit created, changed or removed. */
  touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit>;

  /**
   * Runs `work` on one consistent state of the graph, which has every write that was acknowledged before. Never waits for
   * a writer. One that is ended before it is done rejects at once, and its reader answers nothing more.
   */
  read<T>(target: ReadTarget, work: (reader: Reader) => Promise<T>, options?: ReadOptions): Promise<T>;

  /**
   * Runs `work` as one transaction and one commit: when the promise resolves, everything `work` did is durable; when it
   * rejects, nothing of it remains. `work` may run more than once, and must await nothing but the writer it is given.
   */
  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitOverrides,
  ): Promise<WriteResult<T>>;

  /**
   * Runs `work` on one state of the graph as a write would find it, and keeps nothing of what it does. It is a read: it
   * never waits for a writer, and no writer waits for it.
   */
  rehearse<T>(
    target: WriteTarget,
    work: (writer: RowWriter, reader: Reader) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T>;

  /**
   * Keeps a write that was not let in, outside the graph and its history: no commit, no digest, no copy knows of it. Of
   * each graph only the newest are kept, see `StoreOptions`.
   */
  keepRejection(graph: string, rejection: RejectionDraft): Promise<void>;
  /** Newest first. */
  rejections(graph: string, page?: RejectionPage): Promise<Rejection[]>;

  /**
   * Drops versions that no branch, no commit since a time and no merge of branches can see, in portions, while others use
   * the store. Records of commits and identities stay; a commit that cannot be read any more says so.
   */
  collect(graph: string, options: CollectOptions): Promise<CollectResult>;

  /**
   * Replaces a text in every version of everything and on every branch, and overwrites what it leaves in free space as
   * far as the database can.
   */
  purge(graph: string, options: PurgeOptions): Promise<PurgeResult>;

  /** Looks for damage; an empty list means none was found. */
  check(): Promise<string[]>;
  /** What could be better about the store without being wrong. */
  advice(): Promise<string[]>;
  close(): Promise<void>;
}
