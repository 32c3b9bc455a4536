import type { Author, Commit } from '../../model/commit.js';
import { type Branch, mainBranch } from '../../model/graph-record.js';
import type { Rejection } from '../../model/rejection.js';
import type { RegistryAccess } from '../../store/graph-targets.js';
import type { ReadOptions } from '../../store/read-options.js';
import type { RejectionPage } from '../../store/read-requests.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import type { BranchSignal } from './branch-signal.js';
import { type BranchSummary, discardBranch, listBranches, requireDeletable } from './branches.js';
import type { FeedPage, FeedRequest } from './change-feed.js';
import type { DiffRequest } from './diff-states.js';
import { type CommitFilter, findCommits } from './find-commits.js';
import type { GraphDiff } from './graph-diff.js';
import type { MergeReport, MergeRequest } from './merge/merge-branches.js';
import { requireBranch } from './resolve-ref.js';
import type { ChangesPage, CommitWithChanges } from './show-commit.js';
import type { UndoReport, UndoRequest, UndoSelection } from './undo.js';

interface BranchMergeRequest extends Omit<MergeRequest, 'graph' | 'author' | 'reading'> {
  /** Delete the source after the merge. */
  readonly deleteSource?: boolean | undefined;
}

interface BranchMergeReport extends MergeReport {
  readonly sourceDeleted: boolean;
}

interface HistoryUndoRequest extends Pick<UndoRequest, 'dryRun' | 'checkSchema' | 'mayRead'> {
  readonly branch: string;
  readonly select: UndoSelection;
  /** See `commitsToUndo`. */
  readonly background: string;
}

interface HeadState<T> {
  readonly commit: string | null;
  readonly seq: number;
  readonly state: T;
}

export interface GraphHistoryOptions extends Pick<ReadOptions, 'timeLimit' | 'signal'> {
  readonly graph: string;
  readonly author: Author;
  readonly onCommit: (commit: Commit) => void;
  /** How a merge may access the gate registry on a branch; left out, like any other nodes. */
  readonly registryOn?: ((branch: string) => RegistryAccess) | undefined;
}

/** The branches and commits of one graph, for one author. Large modules are loaded on demand. */
export class GraphHistory {
  readonly #store: Store;
  readonly #graph: string;
  readonly #options: GraphHistoryOptions;
  readonly #reading: ReadOptions;

  constructor(store: Store, options: GraphHistoryOptions) {
    this.#store = store;
    this.#graph = options.graph;
    this.#options = options;
    const { timeLimit, signal, author } = options;
    this.#reading = { timeLimit, signal, actor: author.actor };
  }

  get storeKind(): Store['kind'] {
    return this.#store.kind;
  }

  /** Writes that the gate refused, newest first. */
  rejections(page: RejectionPage): Promise<Rejection[]> {
    return this.#store.rejections(this.#graph, page);
  }

  branches(): Promise<BranchSummary[]> {
    return listBranches(this.#store, this.#graph);
  }

  createBranch(name: string, from: string): Promise<Branch> {
    return this.#store.createBranch(this.#graph, name, from);
  }

  async discardBranch(made: Branch): Promise<void> {
    await discardBranch(this.#store, this.#graph, made);
  }

  async deleteBranch(name: string): Promise<void> {
    await this.#store.deleteBranch(this.#graph, name);
  }

  /** If the source should be deleted but cannot be, nothing is merged. */
  async merge({ deleteSource = false, ...request }: BranchMergeRequest): Promise<BranchMergeReport> {
    const { mergeBranches } = await import('./merge/merge-branches.js');
    const { graph, author, onCommit, registryOn } = this.#options;
    const target = request.target ?? mainBranch;
    if (deleteSource) await requireDeletable(this.#store, graph, request.source, target);
    const context = { graph, author, registry: registryOn?.(target), readOptions: this.#reading };
    const report = await mergeBranches(this.#store, { ...request, ...context });
    if (report.commit !== null) onCommit(report.commit);
    const sourceDeleted = deleteSource && request.dryRun !== true;
    if (sourceDeleted) await this.deleteBranch(request.source);
    return { ...report, sourceDeleted };
  }

  /** Newest first. */
  commits(branch: string, page: { before?: number | undefined; limit: number }): Promise<Commit[]> {
    return this.#store.commits({ graph: this.#graph, branch }, page);
  }

  /** Including merged commits, newest first. */
  findCommits(filter: Omit<CommitFilter, 'graph'>): Promise<Commit[]> {
    return findCommits(this.#store, { ...filter, graph: this.#graph });
  }

  countCommits(branch: string): Promise<number> {
    return this.#store.countCommits({ graph: this.#graph, branch });
  }

  commit(id: string): Promise<Commit> {
    return this.#store.commit(this.#graph, id);
  }

  /** @param maxTouched Refuses commits that touched more. */
  async show(id: string, maxTouched?: number): Promise<CommitWithChanges> {
    const { showCommit } = await import('./show-commit.js');
    return showCommit(this.#store, this.#graph, id, { ...this.#reading, maxTouched });
  }

  async changesOf(commit: Commit, maxTouched?: number): Promise<GraphDiff> {
    const { commitChanges } = await import('./show-commit.js');
    return commitChanges(this.#store, this.#graph, commit, { ...this.#reading, maxTouched });
  }

  async changesPage(
    commit: Commit,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<ChangesPage> {
    const { commitChangesPage } = await import('./show-commit.js');
    return commitChangesPage(this.#store, this.#graph, commit, page, this.#reading);
  }

  async feed(request: Omit<FeedRequest, 'graph'>): Promise<FeedPage> {
    const { readFeed } = await import('./change-feed.js');
    return readFeed(this.#store, { ...request, graph: this.#graph });
  }

  async follow(branch: string): Promise<BranchSignal> {
    const { BranchSignal } = await import('./branch-signal.js');
    const { graph, signal: cancelled } = this.#options;
    return BranchSignal.open(this.#store, { graph, branch, cancelled });
  }

  async diff(request: Omit<DiffRequest, 'graph'>): Promise<GraphDiff> {
    const { diffRefs } = await import('./diff-states.js');
    return diffRefs(this.#store, { ...request, graph: this.#graph }, { ...this.#reading, length: 'linear' });
  }

  async undo({ select, background, ...request }: HistoryUndoRequest): Promise<UndoReport> {
    const { commitsToUndo, undo } = await import('./undo.js');
    const { graph, author, onCommit, registryOn } = this.#options;
    const { branch, mayRead } = request;
    const commits = await commitsToUndo(this.#store, { graph, branch }, select, background, mayRead);
    const registry = registryOn?.(branch);
    const context = { graph, author, registry, readOptions: this.#reading };
    const report = await undo(this.#store, { ...request, ...context, commits });
    if (report.commit !== null) onCommit(report.commit);
    return report;
  }

  /** Reads the newest state of a branch, and returns which commit that is. */
  async readHead<T>(
    branch: string,
    work: (reader: Reader) => Promise<T>,
    length?: ReadOptions['length'],
  ): Promise<HeadState<T>> {
    const { headCommit, headSeq } = await requireBranch(this.#store, this.#graph, branch);
    const state = await this.#store.read(
      { graph: this.#graph, branch },
      async (reader) => work(await reader.at(headCommit)),
      { ...this.#reading, length },
    );
    return { commit: headCommit, seq: headSeq, state };
  }
}
