import { Worker } from 'node:worker_threads';
import type { SqlRow, SqlValue } from '../../sql/executor.js';
import { openReader } from '../open-reader.js';
import type { SqliteConnection } from '../sqlite-connection.js';
import type { StatementFailure, StatementRequest, StatementResponse } from './read-process-messages.js';

/** Rows, and about so many characters, in one message. */
const batchRows = 1_000;
const batchLength = 1_048_576;

/**
 * The program of a reading process: opens the database that its arguments name, and runs the statements it is sent, one
 * after another, until the other side is gone.
 */
function serve(send: (answer: StatementResponse) => Promise<void>): void {
  const [path = '', mode] = process.argv.slice(2);
  let reader: SqliteConnection | undefined;
  let last = Promise.resolve();
  const answer = async (ask: StatementRequest): Promise<void> => {
    try {
      reader ??= openReader({ path, readOnly: mode === 'read-only' });
      await sendRows(reader, ask, send);
    } catch (error) {
      await send(toFailure(ask.id, error));
    }
  };
  process.on('message', (ask: StatementRequest) => {
    last = last.then(() => answer(ask));
  });
  process.on('disconnect', () => process.exit());
  // A terminal tells all processes when its user wants to end one; this one ends with the one it reads for.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  new Worker(new URL('./watch-parent.js', import.meta.url), { workerData: process.ppid }).unref();
}

async function sendRows(
  reader: SqliteConnection,
  { id, statement }: StatementRequest,
  send: (answer: StatementResponse) => Promise<void>,
): Promise<void> {
  let columns: string[] = [];
  let values: SqlValue[][] = [];
  let length = 0;
  const portion = (more: boolean) => send({ id, columns, values, more });
  for (const row of reader.iterate(statement)) {
    if (columns.length === 0) {
      columns = Object.keys(row);
      values = columns.map(() => []);
    }
    length += appendRow(row, columns, values);
    if ((values[0]?.length ?? 0) < batchRows && length < batchLength) continue;
    await portion(true);
    values = columns.map(() => []);
    length = 0;
  }
  await portion(false);
}

/** Adds a row to the columns; answers how long it is, about. */
function appendRow(row: SqlRow, columns: readonly string[], values: readonly SqlValue[][]): number {
  let length = 0;
  for (const [index, column] of columns.entries()) {
    const value = row[column] ?? null;
    values[index]?.push(value);
    if (typeof value === 'string' || value instanceof Uint8Array) length += value.length;
  }
  return length;
}

function toFailure(id: number, thrown: unknown): StatementFailure {
  if (!(thrown instanceof Error)) return { id, error: { message: String(thrown) } };
  const { message } = thrown;
  return {
    id,
    error: {
      message,
      ...('code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {}),
      ...('errcode' in thrown && typeof thrown.errcode === 'number' ? { errcode: thrown.errcode } : {}),
    },
  };
}

serve(
  (answer) =>
    new Promise((sent, lost) => {
      process.send?.(answer, undefined, undefined, (error) => (error === null ? sent() : lost(error)));
    }),
);
