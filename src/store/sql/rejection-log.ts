import type { Rejection, RejectionDraft } from '../../model/rejection.js';
import type { RejectionPage } from '../read-requests.js';
import type { Executor, SqlRow } from './executor.js';
import { readNumber, readText, selectNumber } from './rows.js';
import { and, sql } from './sql.js';
import type { TableTypes } from './sql-tables.js';

/** The newest rejected writes of each graph. `content` is JSON, which can hold any characters; a text column cannot. */
export function createRejectionTable({ integer: number, clustered }: TableTypes): string[] {
  return [
    `create table rejection (
      graph ${number} not null, id ${number} not null, time ${number} not null, code text not null,
      content text not null, primary key (graph, id)) ${clustered}`,
  ];
}

export async function insertRejection(
  executor: Executor,
  graph: number,
  { time, code, ...content }: RejectionDraft,
  kept: number,
): Promise<void> {
  // The newest is never dropped. If two take the same number, one tries again.
  const id = await selectNumber(
    executor,
    sql`select coalesce(max(id), 0) + 1 as n from rejection where graph = ${graph}`,
  );
  executor.insert(
    'rejection',
    ['graph', 'id', 'time', 'code', 'content'],
    [[graph, id, time, code, JSON.stringify(content)]],
  );
  if (id > kept) executor.run(sql`delete from rejection where graph = ${graph} and id <= ${id - kept}`);
}

const defaultLimit = 100;

export async function listRejections(
  executor: Executor,
  graph: number,
  { since, code, before, limit = defaultLimit }: RejectionPage,
): Promise<Rejection[]> {
  const conditions = [sql`graph = ${graph}`];
  if (since !== undefined) conditions.push(sql`time >= ${since}`);
  if (code !== undefined) conditions.push(sql`code = ${code}`);
  if (before !== undefined) conditions.push(sql`id < ${before}`);
  const rows = await executor.all(
    sql`select id, time, code, content from rejection where ${and(conditions)} order by id desc limit ${limit}`,
  );
  return rows.map(readRejection);
}

function readRejection(row: SqlRow): Rejection {
  return {
    id: readNumber(row, 'id'),
    time: readNumber(row, 'time'),
    code: readText(row, 'code'),
    ...(JSON.parse(readText(row, 'content')) as Omit<RejectionDraft, 'time' | 'code'>),
  };
}
