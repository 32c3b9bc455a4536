import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../../file/package-files.js';
import { TrellisError } from '../../../model/error.js';
import type { EdgeListRequest, Executor, Fragment, SqlRow, SqlValue } from '../../sql/executor.js';
import { fromStatementFailure } from '../statement-failure.js';
import type { ReaderSource, ReadRequest, RowBatch, StatementResponse } from './read-process-messages.js';

const program = fileURLToPath(programFile(import.meta.url, './read-process.js'));

/** Killed when this program exits. */
const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

interface PendingStatement {
  readonly rows: SqlRow[];
  readonly resolve: (rows: SqlRow[]) => void;
  readonly reject: (error: unknown) => void;
}

const processEnded = 'The reading process exited.';

/**
 * A process with a read-only connection. SQLite statements cannot be interrupted, nor can a thread that runs one be ended;
 * a process can be killed at any moment, and leaves no locks behind.
 */
export class ReadProcessHandle implements Executor {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PendingStatement>();
  readonly #gone: Promise<unknown>;
  #lastId = 0;
  #lost: TrellisError | undefined;

  constructor({ path, readOnly }: ReaderSource) {
    this.#child = fork(program, [path, readOnly ? 'read-only' : 'shared'], {
      execArgv: [],
      serialization: 'advanced',
      // Standard output may carry a protocol.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#gone = once(this.#child, 'close').catch(() => {});
    this.#child.on('message', (response: StatementResponse) => this.#receive(response));
    this.#child.on('error', (error) => this.#end(error));
    this.#child.on('close', () => this.#end());
    if (running.size === 0) process.on('exit', killAll);
    running.add(this.#child);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  get busy(): boolean {
    return this.#pending.size > 0;
  }

  all(statement: Fragment): Promise<SqlRow[]> {
    return this.#request({ id: ++this.#lastId, statement });
  }

  async prepareEdges(edges: EdgeListRequest): Promise<boolean> {
    const [row] = await this.#request({ id: ++this.#lastId, edges });
    return row?.['prepared'] === 1;
  }

  #request(request: ReadRequest): Promise<SqlRow[]> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      this.#pending.set(request.id, { rows: [], resolve, reject });
      // Sending fails only if the process is gone, which the `close` event reports.
      this.#child.send(request, () => {});
    });
  }

  run({ sql }: Fragment): never {
    throw new TypeError(`A read waits for every answer: ${sql}`);
  }

  insert(table: string): never {
    throw new TypeError(`A read does not write into ${table}.`);
  }

  /** Whether this program waits for the process before it exits. */
  setKeepAlive(wanted: boolean): void {
    if (wanted) {
      this.#child.ref();
      this.#child.channel?.ref();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  /** Resolves when the process is gone. */
  async kill(): Promise<void> {
    this.#end();
    this.#child.kill('SIGKILL');
    // Keeps this program alive until then, even if it has nothing else to do.
    this.setKeepAlive(true);
    await this.#gone;
  }

  #receive(response: StatementResponse): void {
    const pending = this.#pending.get(response.id);
    if (pending === undefined) return;
    if ('error' in response) {
      pending.reject(fromStatementFailure(response.error));
    } else {
      addRows(pending.rows, response);
      if (response.more) return;
      pending.resolve(pending.rows);
    }
    this.#pending.delete(response.id);
  }

  #end(cause?: unknown): void {
    if (running.delete(this.#child) && running.size === 0) process.off('exit', killAll);
    this.#lost ??= new TrellisError('STORE_UNAVAILABLE', processEnded, {
      hint: 'Call again; if it happens again, check whether the system kills processes, for example for lack of memory.',
      publicMessage: processEnded,
      cause,
    });
    for (const { reject } of this.#pending.values()) reject(this.#lost);
    this.#pending.clear();
  }
}

function addRows(rows: SqlRow[], { columns, values }: RowBatch): void {
  const count = values[0]?.length ?? 0;
  for (let at = 0; at < count; at++) {
    const row: Record<string, SqlValue> = {};
    for (const [index, column] of columns.entries()) row[column] = values[index]?.[at] ?? null;
    rows.push(row);
  }
}
