import { Worker } from 'node:worker_threads';
import type { Fragment, SqlRow, SqlValue } from '../../sql/executor.js';
import { openReader } from '../open-reader.js';
import type { SqliteConnection } from '../sqlite-connection.js';
import { toStatementFailure } from '../statement-failure.js';
import type { ReadRequest, StatementResponse } from './read-process-messages.js';

/** Bounds of one message. */
const batchRows = 1_000;
const batchLength = 1_048_576;
/** How much of the file is mapped: rows all over it are then found several times as fast as through a cache of pages. */
const mappedBytes = 1_073_741_824;

// A read process opens the database that its arguments name and runs the statements it is sent, one after another.
const [path = '', mode] = process.argv.slice(2);
let reader: SqliteConnection | undefined;
let last = Promise.resolve();
process.on('message', (request: ReadRequest) => {
  last = last.then(() => respond(request));
});
process.on('disconnect', () => process.exit());
// A terminal signals all its processes; this one ends with its parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
new Worker(new URL('./watch-parent.js', import.meta.url), { workerData: process.ppid }).unref();

async function respond(request: ReadRequest): Promise<void> {
  try {
    reader ??= openMapped();
    if ('statement' in request) await sendRows(reader, request.id, request.statement);
    else {
      const prepared = (await reader.prepareEdges(request.edges)) ? 1 : 0;
      await send({ id: request.id, columns: ['prepared'], values: [[prepared]], more: false });
    }
  } catch (error) {
    await send({ id: request.id, error: toStatementFailure(error) });
  }
}

function openMapped(): SqliteConnection {
  const connection = openReader({ path, readOnly: mode === 'read-only' });
  connection.exec(`pragma mmap_size = ${mappedBytes}`);
  return connection;
}

function send(response: StatementResponse): Promise<void> {
  return new Promise((sent, lost) => {
    process.send?.(response, undefined, undefined, (error) => (error === null ? sent() : lost(error)));
  });
}

async function sendRows(reader: SqliteConnection, id: number, statement: Fragment): Promise<void> {
  let columns: string[] = [];
  let values: SqlValue[][] = [];
  let length = 0;
  const sendBatch = (more: boolean) => send({ id, columns, values, more });
  for (const row of reader.iterate(statement)) {
    if (columns.length === 0) {
      columns = Object.keys(row);
      values = columns.map(() => []);
    }
    length += appendRow(row, columns, values);
    if ((values[0]?.length ?? 0) < batchRows && length < batchLength) continue;
    await sendBatch(true);
    values = columns.map(() => []);
    length = 0;
  }
  await sendBatch(false);
}

/** Returns about how long the row is. */
function appendRow(row: SqlRow, columns: readonly string[], values: readonly SqlValue[][]): number {
  let length = 0;
  for (const [index, column] of columns.entries()) {
    const value = row[column] ?? null;
    values[index]?.push(value);
    if (typeof value === 'string' || value instanceof Uint8Array) length += value.length;
  }
  return length;
}
