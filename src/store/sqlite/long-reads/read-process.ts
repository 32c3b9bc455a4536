import { Worker } from 'node:worker_threads';
import type { SqlRow, SqlValue } from '../../sql/executor.js';
import type { Connection } from '../connection.js';
import { openReader } from '../open-reader.js';
import type { Answer, Ask, Failed } from './messages.js';

/** Rows, and about so many characters, in one message. */
const portionRows = 1_000;
const portionLength = 1_048_576;

/**
 * The program of a reading process: opens the database that its arguments name, and runs the statements it is sent, one
 * after another, until the other side is gone.
 */
function serve(send: (answer: Answer) => Promise<void>): void {
  const [path = '', mode] = process.argv.slice(2);
  let reader: Connection | undefined;
  let last = Promise.resolve();
  const answer = async (ask: Ask): Promise<void> => {
    try {
      reader ??= openReader({ path, readOnly: mode === 'read-only' });
      await sendRows(reader, ask, send);
    } catch (error) {
      await send(failed(ask.id, error));
    }
  };
  process.on('message', (ask: Ask) => {
    last = last.then(() => answer(ask));
  });
  process.on('disconnect', () => process.exit());
  // A terminal tells all processes when its user wants to end one; this one ends with the one it reads for.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  new Worker(new URL('./watch-parent.js', import.meta.url), { workerData: process.ppid }).unref();
}

async function sendRows(
  reader: Connection,
  { id, sql, params }: Ask,
  send: (answer: Answer) => Promise<void>,
): Promise<void> {
  let columns: string[] = [];
  let values: SqlValue[][] = [];
  let length = 0;
  const portion = (more: boolean) => send({ id, columns, values, more });
  for (const row of reader.each(sql, params)) {
    if (columns.length === 0) {
      columns = Object.keys(row);
      values = columns.map(() => []);
    }
    length += add(row, columns, values);
    if ((values[0]?.length ?? 0) < portionRows && length < portionLength) continue;
    await portion(true);
    values = columns.map(() => []);
    length = 0;
  }
  await portion(false);
}

/** Adds a row to the columns; answers how long it is, about. */
function add(row: SqlRow, columns: readonly string[], values: readonly SqlValue[][]): number {
  let length = 0;
  for (const [index, column] of columns.entries()) {
    const value = row[column] ?? null;
    values[index]?.push(value);
    if (typeof value === 'string' || value instanceof Uint8Array) length += value.length;
  }
  return length;
}

function failed(id: number, thrown: unknown): Failed {
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
