import { graphNotFound } from '../../model/graph-record.js';
import { shellQuote } from '../../model/quoting.js';
import type { Dialect } from './dialect.js';
import type { Executor } from './executor.js';
import { readNumber, readText } from './rows.js';
import { raw, sql } from './sql.js';

interface GraphTable {
  readonly name: string;
  readonly key: readonly string[];
}

/**
 * Every table whose rows belong to a graph, with its key, in the order in which a deleted graph is emptied: rows that
 * refer to others go first, so that a check finds nothing wrong half-way.
 */
export const graphTables: readonly GraphTable[] = [
  { name: 'shadow', key: ['graph', 'kind', 'row', 'branch'] },
  { name: 'touched', key: ['graph', 'branch', 'seq', 'kind', 'ref'] },
  { name: 'edge_row', key: ['graph', 'row'] },
  { name: 'observation_row', key: ['graph', 'row'] },
  { name: 'text_vector', key: ['graph', 'space', 'document'] },
  { name: 'node_pairs', key: ['graph', 'branch', 'space', 'view'] },
  { name: 'node_bits', key: ['graph', 'branch', 'space', 'view', 'chunk'] },
  { name: 'embedding_progress', key: ['graph', 'space', 'source'] },
  { name: 'node_property', key: ['graph', 'hash', 'node'] },
  { name: 'property_value', key: ['graph', 'property', 'value', 'row'] },
  { name: 'property_index', key: ['graph', 'id'] },
  { name: 'node_row', key: ['graph', 'row'] },
  { name: 'identity', key: ['graph', 'name', 'type'] },
  { name: 'graph_schema', key: ['graph', 'seq'] },
  { name: 'branch', key: ['graph', 'id'] },
  { name: 'commit_log', key: ['graph', 'seq'] },
  { name: 'rejection', key: ['graph', 'id'] },
];

/** Rows per transaction: few enough that writers hardly wait. */
export const deleteBatchSize = 2_000;

export interface RemovedGraph {
  readonly id: number;
  readonly name: string;
}

/** Removes a graph and its branches from the catalog, so that nobody finds its rows any more. */
export async function removeGraph(executor: Executor, name: string, now: number): Promise<void> {
  const [row] = await executor.all(sql`delete from graph where name = ${name} returning id`);
  if (row === undefined) {
    if ((await pendingDeletions(executor)).some((removed) => removed.name === name)) return;
    throw graphNotFound(name);
  }
  const id = readNumber(row, 'id');
  // Where writers lock their branch, this waits for them.
  executor.run(sql`delete from branch where graph = ${id}`);
  executor.insert('removed_graph', ['id', 'name', 'removed_at'], [[id, name, now]]);
}

export async function pendingDeletions(executor: Executor): Promise<RemovedGraph[]> {
  const rows = await executor.all(
    sql`select id, name from removed_graph where emptied_at is null order by id`,
  );
  return rows.map((row) => ({ id: readNumber(row, 'id'), name: readText(row, 'name') }));
}

export async function removeGraphRows(
  executor: Executor,
  { names }: Pick<Dialect, 'names'>,
  graph: number,
  now: number,
): Promise<boolean> {
  for (const { name, key } of graphTables) {
    const columns = (name === 'identity' ? names.key : key).join(', ');
    const removed = await executor.all(
      sql`delete from ${raw(name)} where graph = ${graph} and (${raw(columns)}) in
        (select ${raw(columns)} from ${raw(name)} where graph = ${graph} limit ${deleteBatchSize}) returning 1 as removed`,
    );
    if (removed.length > 0) return true;
  }
  executor.run(sql`update removed_graph set emptied_at = ${now} where id = ${graph}`);
  return false;
}

export async function pendingDeletionAdvice(executor: Executor, location: string): Promise<string[]> {
  return (await pendingDeletions(executor)).map(
    ({ name }) =>
      `Rows of the deleted graph ${name} are still there; if nobody is deleting it now, finish with: trellis graph delete ${name} --store ${shellQuote(location)}`,
  );
}
