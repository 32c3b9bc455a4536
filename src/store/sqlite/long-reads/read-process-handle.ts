import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../../file/package-files.js';
import { TrellisError } from '../../../model/error.js';
import type { Executor, Fragment, SqlRow, SqlValue } from '../../sql/executor.js';
import type {
  ReaderSource,
  RowBatch,
  StatementFailure,
  StatementRequest,
  StatementResponse,
} from './read-process-messages.js';

const program = fileURLToPath(programFile(import.meta.url, './read-process.js'));

/** Those that run: none outlives the program, whatever it is doing. */
const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

interface PendingStatement {
  readonly rows: SqlRow[];
  readonly answer: (rows: SqlRow[]) => void;
  readonly fail: (error: unknown) => void;
}

const processEnded = 'The reading process exited.';

/**
 * A process with a connection that only reads. Statements of SQLite cannot be interrupted, and a thread that runs one
 * cannot be ended without the whole process; a process can be, at any moment, and leaves neither work nor locks behind.
 */
export class ReadProcessHandle implements Executor {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PendingStatement>();
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
    this.#child.on('message', (answer: StatementResponse) => this.#arrived(answer));
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
    return this.#waiting.size > 0;
  }

  all(statement: Fragment): Promise<SqlRow[]> {
    return new Promise((answer, fail) => {
      if (this.#lost !== undefined) return fail(this.#lost);
      const ask: StatementRequest = { id: ++this.#lastId, statement };
      this.#waiting.set(ask.id, { rows: [], answer, fail });
      // What cannot be sent cannot be answered either: the process is gone, and says so itself.
      this.#child.send(ask, () => {});
    });
  }

  run({ sql }: Fragment): never {
    throw new TypeError(`A read waits for every answer: ${sql}`);
  }

  insert(table: string): never {
    throw new TypeError(`A read does not write into ${table}.`);
  }

  /** Whether the program has to wait for it before it ends. */
  setKeepAlive(wanted: boolean): void {
    if (wanted) {
      this.#child.ref();
      this.#child.channel?.ref();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  /** Ends it in whatever it is doing; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#end();
    this.#child.kill('SIGKILL');
    // Whoever waits for its end must not end before that for want of anything else to do.
    this.setKeepAlive(true);
    await this.#gone;
  }

  #arrived(answer: StatementResponse): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    const failed = 'error' in answer;
    if (!failed) addRows(waiting.rows, answer);
    if (!failed && answer.more) return;
    this.#waiting.delete(answer.id);
    if (failed) waiting.fail(toError(answer));
    else waiting.answer(waiting.rows);
  }

  #end(cause?: unknown): void {
    if (running.delete(this.#child) && running.size === 0) process.off('exit', killAll);
    this.#lost ??= new TrellisError('STORE_UNAVAILABLE', processEnded, {
      hint: 'Call again; if it happens again, check whether the system kills processes, for example for lack of memory.',
      publicMessage: processEnded,
      cause,
    });
    for (const { fail } of this.#waiting.values()) fail(this.#lost);
    this.#waiting.clear();
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

function toError({ error: { message, ...codes } }: StatementFailure): Error {
  return Object.assign(new Error(message), codes);
}
