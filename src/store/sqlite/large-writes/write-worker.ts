import { parentPort, workerData } from 'node:worker_threads';
import type { SqlRow } from '../../sql/executor.js';
import { sql } from '../../sql/sql.js';
import { openLargeWriter } from '../open-connections.js';
import { toStatementFailure } from '../statement-failure.js';
import { LostTransaction, retryWhileBusy } from '../transaction.js';
import type { WriteAnswer, WriteMessage } from './write-messages.js';

// The thread of a large write: it opens the database that its data names, and does what it is sent, in order.
const path: string = workerData;
const opened = retryWhileBusy(() => openLargeWriter(path));
let last: Promise<void> = opened.then(
  () => {},
  () => {},
);
/** The first error that nobody has heard of. */
let failure: unknown;

parentPort?.on('message', (message: WriteMessage) => {
  last = last.then(() => handle(message));
});

async function handle(message: WriteMessage): Promise<void> {
  try {
    const rows = await perform(message);
    if ('id' in message) answer({ id: message.id, rows });
  } catch (error) {
    if ('id' in message) answer({ id: message.id, error: toStatementFailure(error) });
    else failure ??= error;
  }
}

async function perform(message: WriteMessage): Promise<readonly SqlRow[]> {
  if (message.kind === 'end') parentPort?.close();
  const connection = await opened;
  if (message.kind === 'end') {
    connection.close();
    return [];
  }
  if (message.kind === 'rollback') {
    failure = undefined;
    if (connection.inTransaction) connection.run(sql`rollback`);
    return [];
  }
  if (failure !== undefined) throw failure;
  switch (message.kind) {
    case 'all':
      return connection.all(message.statement);
    case 'run':
      connection.run(message.statement);
      break;
    case 'insert':
      connection.insert(message.table, message.columns, message.rows, message.options);
      break;
    case 'exec':
      connection.exec(message.sql);
      break;
    case 'begin':
      await retryWhileBusy(() => connection.run(sql`begin immediate`));
      break;
    case 'commit':
      if (!connection.inTransaction) throw new LostTransaction();
      connection.run(sql`commit`);
  }
  return [];
}

function answer(response: WriteAnswer): void {
  parentPort?.postMessage(response);
}
