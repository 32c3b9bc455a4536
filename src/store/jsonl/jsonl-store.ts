import { resolve } from 'node:path';
import { Mutex } from '../../bounds/mutex.js';
import type { Author, Commit } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import {
  type Branch,
  defaultGraph,
  type GraphRecord,
  graphExists,
  mainBranch,
} from '../../model/graph-record.js';
import type { Rejection } from '../../model/rejection.js';
import type { ReadTarget, WriteTarget } from '../graph-targets.js';
import type { ReadOptions } from '../read-options.js';
import type { TouchedByCommit } from '../read-results.js';
import type { Reader } from '../reader.js';
import { openInMemorySqliteStore, type SqliteStore } from '../sqlite/sqlite-store.js';
import type { Store } from '../store-contract.js';
import { type StoreOptions, warnOnStderr } from '../store-options.js';
import type { CommitOverrides, WriteResult } from '../write-result.js';
import type { RowWriter, Writer } from '../writer.js';
import { listRepeatedLines, listUnreadableLines } from './check-file.js';
import { FileBatchInterceptor } from './file-batch-interceptor.js';
import { FileMirror } from './file-mirror.js';
import { renameLegacyFile } from './legacy-file.js';

/** Opens a JSON lines file; one that is not there is made by the first write. */
export async function openJsonlStore(path: string, options: StoreOptions = {}): Promise<JsonlStore> {
  const location = resolve(path);
  const warn = options.warn ?? warnOnStderr;
  await renameLegacyFile(location, warn);
  const mirror = new FileMirror(location, { newFileFormat: options.newFileFormat ?? 'memory', warn });
  const mutex = new Mutex();
  const guard = new FileBatchInterceptor(mirror, mutex);
  const rows = await openInMemorySqliteStore({
    ...options,
    compileGraphSchema: rejectSchemas,
    interceptor: guard,
    epoch: () => mirror.epoch,
    replacedIn: () => mirror.replacedIn,
  });
  try {
    await rows.createGraph(defaultGraph);
    await mutex.run(() => mirror.refresh(rows));
  } catch (error) {
    await rows.close();
    throw error;
  }
  guard.attach(rows);
  return new JsonlStore(mirror, mutex, rows);
}

/** One graph in a JSON lines file. The file is the truth; the rows in memory follow it. */
export class JsonlStore implements Store {
  readonly kind = 'jsonl';
  readonly capabilities = { graphs: false, branches: false, rejections: false, schemas: false };
  readonly location: string;
  /** A JSON lines file has no place for them. */
  readonly vectors = null;
  readonly #mirror: FileMirror;
  readonly #mutex: Mutex;
  readonly #rows: SqliteStore;

  constructor(mirror: FileMirror, mutex: Mutex, rows: SqliteStore) {
    this.location = mirror.path;
    this.#mirror = mirror;
    this.#mutex = mutex;
    this.#rows = rows;
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

  async renameGraph(name: string): Promise<GraphRecord> {
    requireDefaultGraph(name);
    throw unsupportedError('give its graph another name');
  }

  async deleteGraph(name: string): Promise<void> {
    requireDefaultGraph(name);
    throw unsupportedError('be without its graph');
  }

  async branches(graph: string): Promise<Branch[]> {
    requireDefaultGraph(graph);
    return this.#rows.branches(graph);
  }

  async createBranch(graph: string, name: string): Promise<Branch> {
    requireDefaultGraph(graph);
    throw unsupportedError(`hold a branch, ${JSON.stringify(name)}`);
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
    return this.#rows.write(target, author, work, stamp);
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

  async commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]> {
    requireDefaultGraph(graph);
    await this.#catchUp();
    return this.#rows.commitsSince(graph, seq, limit);
  }

  async touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit> {
    requireDefaultGraph(graph);
    return this.#rows.touchedBy(graph, commit);
  }

  async keepRejection(graph: string): Promise<void> {
    requireDefaultGraph(graph);
    throw unsupportedError('keep rejected writes');
  }

  async rejections(graph: string): Promise<Rejection[]> {
    requireDefaultGraph(graph);
    throw unsupportedError('keep rejected writes');
  }

  async collect(graph: string): Promise<never> {
    requireDefaultGraph(graph);
    throw unsupportedError('be collected: it holds no old versions');
  }

  async purge(graph: string): Promise<never> {
    requireDefaultGraph(graph);
    throw new TrellisError('CAPABILITY_MISSING', 'A JSON lines file keeps no history to purge.', {
      hint: 'Take the text out of the file with any editor.',
    });
  }

  async check(): Promise<string[]> {
    return [...(await listUnreadableLines(this.location)), ...(await this.#rows.check())];
  }

  async advice(): Promise<string[]> {
    return [...(await listRepeatedLines(this.location)), ...(await this.#rows.advice())];
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  async #catchUp(): Promise<void> {
    if (await this.#mirror.isCurrent()) return;
    await this.#mutex.run(() => this.#mirror.refresh(this.#rows));
  }
}

function requireMainBranch({ graph, branch }: WriteTarget): void {
  requireDefaultGraph(graph);
  if (branch === undefined || branch === mainBranch) return;
  throw new TrellisError(
    'BRANCH_NOT_FOUND',
    `There is no branch ${branch}: a JSON lines file has only main.`,
    {
      hint: moveHint,
      details: { branch },
    },
  );
}

function requireDefaultGraph(graph: string): void {
  if (graph === defaultGraph) return;
  throw new TrellisError(
    'GRAPH_NOT_FOUND',
    `There is no graph ${graph}: a JSON lines file holds one, ${defaultGraph}.`,
    {
      hint: moveHint,
      details: { graph },
    },
  );
}

function unsupportedError(what: string): TrellisError {
  return new TrellisError('CAPABILITY_MISSING', `A JSON lines file cannot ${what}.`, { hint: moveHint });
}

const moveHint = 'Import the file into a database with: trellis import FILE --store trellis.db';

const rejectSchemas = async () => {
  throw unsupportedError('hold a schema');
};
