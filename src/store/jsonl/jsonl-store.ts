import { resolve } from 'node:path';
import { Mutex } from '../../bounds/mutex.js';
import { readContent } from '../../file/file-signature.js';
import { fileSize } from '../../file/file-size.js';
import type { Author, Commit } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import {
  type Branch,
  defaultGraph,
  type GraphRecord,
  graphExists,
  mainBranch,
} from '../../model/graph-record.js';
import type { GraphListener } from '../graph-change.js';
import type { ReadTarget, WriteTarget } from '../graph-targets.js';
import type { StoreSize } from '../maintenance.js';
import type { ReadOptions } from '../read-options.js';
import type { BranchCommits, TouchedByCommit } from '../read-results.js';
import type { Reader } from '../reader.js';
import { openInMemorySqliteStore, type SqliteStore } from '../sqlite/sqlite-store.js';
import type { Store } from '../store-contract.js';
import { type StoreOptions, warnOnStderr } from '../store-options.js';
import type { CommitOverrides, PlannedWrite, PlannedWriteResult, WriteResult } from '../write-result.js';
import type { RowWriter, Writer } from '../writer.js';
import { diffFileLines, type LineWarning } from './diff-file-lines.js';
import { FileBatchInterceptor } from './file-batch-interceptor.js';
import { FileLines } from './file-lines.js';
import { FileMirror } from './file-mirror.js';
import { HistoryTrimmer } from './history-trimmer.js';
import { renameLegacyFile } from './legacy-file.js';

/** How often a file is looked at while somebody watches it. */
const pollMs = 200;

/** The first write creates a missing file. */
export async function openJsonlStore(path: string, options: StoreOptions = {}): Promise<JsonlStore> {
  const location = resolve(path);
  const warn = options.warn ?? warnOnStderr;
  await renameLegacyFile(location, warn);
  const mirror = new FileMirror(location, { newFileFormat: options.newFileFormat ?? 'memory', warn });
  const mutex = new Mutex();
  const interceptor = new FileBatchInterceptor(mirror, mutex);
  const catchUp = async () => {
    if (await mirror.isCurrent()) return;
    await mutex.run(() => mirror.refresh(rows));
    trimmer.wake();
  };
  const rows = await openInMemorySqliteStore({
    ...options,
    compileGraphSchema: () => refuse(defaultGraph, 'hold a schema'),
    interceptor,
    epoch: () => mirror.epoch,
    replacedIn: () => mirror.replacedIn,
    watchOthers: () => {
      // What differs is applied to the rows, which report it.
      const timer = setInterval(() => void catchUp().catch(() => {}), pollMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  });
  const trimmer = new HistoryTrimmer(rows, { warn });
  try {
    await rows.createGraph(defaultGraph);
    await mutex.run(() => mirror.refresh(rows));
  } catch (error) {
    await rows.close();
    throw error;
  }
  interceptor.attach(rows);
  return new JsonlStore(mirror, catchUp, rows, trimmer);
}

/** One graph in a JSON lines file. The file is the truth; the rows in memory follow it. */
export class JsonlStore implements Store {
  readonly kind = 'jsonl';
  readonly capabilities = { graphs: false, branches: false, rejections: false, schemas: false };
  readonly location: string;
  readonly vectors = null;
  readonly #catchUp: () => Promise<void>;
  readonly #rows: SqliteStore;
  readonly #trimmer: HistoryTrimmer;

  constructor(
    { path }: FileMirror,
    catchUp: () => Promise<void>,
    rows: SqliteStore,
    trimmer: HistoryTrimmer,
  ) {
    this.location = path;
    this.#catchUp = catchUp;
    this.#rows = rows;
    this.#trimmer = trimmer;
  }

  get waitingWrites(): number {
    return this.#rows.waitingWrites;
  }

  graphs(): Promise<GraphRecord[]> {
    return this.#rows.graphs();
  }

  async createGraph(name: string): Promise<GraphRecord> {
    if (name === defaultGraph) throw graphExists(name);
    throw unsupportedError(`hold a second graph, ${JSON.stringify(name)}`);
  }

  renameGraph(name: string): Promise<never> {
    return refuse(name, 'give its graph another name');
  }

  deleteGraph(name: string): Promise<never> {
    return refuse(name, 'be without its graph');
  }

  async branches(graph: string): Promise<Branch[]> {
    requireDefaultGraph(graph);
    return this.#rows.branches(graph);
  }

  createBranch(graph: string, name: string): Promise<never> {
    return refuse(graph, `hold a branch, ${JSON.stringify(name)}`);
  }

  async deleteBranch(graph: string, name: string): Promise<Branch> {
    requireMainBranch({ graph, branch: name });
    return this.#rows.deleteBranch(graph, name);
  }

  async commit(graph: string, id: string): Promise<Commit> {
    requireDefaultGraph(graph);
    return this.#rows.commit(graph, id);
  }

  async commits(
    target: WriteTarget,
    page: { before?: number | undefined; limit?: number } = {},
  ): Promise<Commit[]> {
    requireMainBranch(target);
    await this.#catchUp();
    return this.#rows.commits(target, page);
  }

  async countCommits(target: WriteTarget): Promise<number> {
    requireMainBranch(target);
    await this.#catchUp();
    return this.#rows.countCommits(target);
  }

  async read<T>(target: ReadTarget, work: (reader: Reader) => Promise<T>, options?: ReadOptions): Promise<T> {
    requireMainBranch(target);
    await this.#catchUp();
    return this.#rows.read(target, work, options);
  }

  async write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitOverrides,
  ): Promise<WriteResult<T>> {
    requireMainBranch(target);
    const written = await this.#rows.write(target, author, work, stamp);
    this.#trimmer.wake();
    return written;
  }

  async writePlanned<T>(
    target: WriteTarget,
    author: Author,
    planned: PlannedWrite<T>,
    stamp?: CommitOverrides,
  ): Promise<PlannedWriteResult<T>> {
    requireMainBranch(target);
    const written = await this.#rows.writePlanned(target, author, planned, stamp);
    this.#trimmer.wake();
    return written;
  }

  async rehearse<T>(
    target: WriteTarget,
    work: (writer: RowWriter, reader: Reader) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T> {
    requireMainBranch(target);
    await this.#catchUp();
    return this.#rows.rehearse(target, work, options);
  }

  /** There is one connection, and it keeps all in memory. */
  async stageNodes(): Promise<undefined> {
    return undefined;
  }

  async commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]> {
    requireDefaultGraph(graph);
    await this.#catchUp();
    return this.#rows.commitsSince(graph, seq, limit);
  }

  async commitsOnBranch(target: WriteTarget, from: number, limit: number): Promise<BranchCommits> {
    requireMainBranch(target);
    await this.#catchUp();
    return this.#rows.commitsOnBranch(target, from, limit);
  }

  async watch(graph: string, listener: GraphListener): Promise<() => void> {
    requireDefaultGraph(graph);
    let isReady = false;
    // What is only loaded now happened before.
    const stop = await this.#rows.watch(graph, (change) => {
      if (isReady || (change.kind === 'commits' && change.own !== undefined)) listener(change);
    });
    await this.#catchUp();
    isReady = true;
    return stop;
  }

  async touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit> {
    requireDefaultGraph(graph);
    return this.#rows.touchedBy(graph, commit);
  }

  keepRejection(graph: string): Promise<never> {
    return refuse(graph, 'keep rejected writes');
  }

  rejections(graph: string): Promise<never> {
    return refuse(graph, 'keep rejected writes');
  }

  collect(graph: string): Promise<never> {
    return refuse(graph, 'be collected: it holds no old versions');
  }

  async purge(graph: string): Promise<never> {
    requireDefaultGraph(graph);
    throw new TrellisError('CAPABILITY_MISSING', 'A JSON lines file keeps no history to purge.', {
      hint: 'Take the text out of the file with any editor.',
    });
  }

  async size(): Promise<StoreSize> {
    return { data: await fileSize(this.location), log: undefined };
  }

  async check(): Promise<string[]> {
    const unreadable = (await this.#warnings())
      .filter(({ repeats }) => !repeats)
      .map(({ number, reason }) => `${this.location}:${number}: the line ${reason}`);
    return [...unreadable, ...(await this.#rows.check())];
  }

  async advice(): Promise<string[]> {
    const repeated = (await this.#warnings()).filter(({ repeats }) => repeats);
    return [...repeatedLinesNote(this.location, repeated), ...(await this.#rows.advice())];
  }

  async close(): Promise<void> {
    await this.#trimmer.close();
    await this.#rows.close();
  }

  async #warnings(): Promise<readonly LineWarning[]> {
    return diffFileLines(new FileLines(), (await readContent(this.location)).content).warnings;
  }
}

/** Repeated lines do no harm, and a file may have thousands. */
function repeatedLinesNote(path: string, lines: readonly LineWarning[]): string[] {
  if (lines.length === 0) return [];
  const which = lines
    .slice(0, 5)
    .map(({ number }) => number)
    .join(', ');
  const count = `${lines.length} ${lines.length === 1 ? 'line repeats an earlier one' : 'lines repeat earlier ones'}`;
  return [
    `${path}: ${count} (${which}${lines.length > 5 ? ', …' : ''}). Nothing is lost: observations are added to the same node, and a repeated relation counts once.`,
  ];
}

function requireMainBranch({ graph, branch }: WriteTarget): void {
  requireDefaultGraph(graph);
  if (branch === undefined || branch === mainBranch) return;
  throw new TrellisError(
    'BRANCH_NOT_FOUND',
    `There is no branch ${branch}: a JSON lines file has only main.`,
    { hint: moveHint, details: { branch } },
  );
}

function requireDefaultGraph(graph: string): void {
  if (graph === defaultGraph) return;
  throw new TrellisError(
    'GRAPH_NOT_FOUND',
    `There is no graph ${graph}: a JSON lines file holds one, ${defaultGraph}.`,
    { hint: moveHint, details: { graph } },
  );
}

async function refuse(graph: string, what: string): Promise<never> {
  requireDefaultGraph(graph);
  throw unsupportedError(what);
}

function unsupportedError(what: string): TrellisError {
  return new TrellisError('CAPABILITY_MISSING', `A JSON lines file cannot ${what}.`, { hint: moveHint });
}

const moveHint = 'Import the file into a database with: trellis import FILE --store trellis.db';
