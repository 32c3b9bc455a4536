import type { Executor } from './executor.js';
import type { Lineage } from './lineage.js';
import { readNumber, readOptionalText } from './rows.js';
import { sql } from './sql.js';
import type { TableTypes } from './sql-tables.js';

/**
 * Schema versions, each in force from its commit on. A branch row says which one applies at its head, so that a write
 * to a graph without a schema need not ask.
 */
export function createGraphSchemaTable({ integer: number, clustered }: TableTypes): string[] {
  return [
    // Null: the graph has no schema from here on.
    `create table graph_schema (
      graph ${number} not null, seq ${number} not null, branch ${number} not null, source text,
      primary key (graph, seq)) ${clustered}`,
    `alter table branch add column schema_seq ${number}`,
  ];
}

export async function visibleGraphSchema(executor: Executor, lineage: Lineage): Promise<string | null> {
  const seq = await visibleGraphSchemaSeq(executor, lineage);
  return seq === null ? null : graphSchemaAt(executor, lineage.graph, seq);
}

export async function graphSchemaAt(executor: Executor, graph: number, seq: number): Promise<string | null> {
  const [row] = await executor.all(
    sql`select source from graph_schema where graph = ${graph} and seq = ${seq}`,
  );
  return row === undefined ? null : readOptionalText(row, 'source');
}

/** The newest of the nearest branch that ever set one. */
async function visibleGraphSchemaSeq(executor: Executor, lineage: Lineage): Promise<number | null> {
  if (lineage.schemaSeq !== undefined) return lineage.schemaSeq;
  const versions = await executor.all(
    sql`select branch, seq from graph_schema where graph = ${lineage.graph} order by seq`,
  );
  for (const level of lineage.levels) {
    const seen = versions.filter(
      (row) => row['branch'] === level.branch && readNumber(row, 'seq') <= level.seq,
    );
    const newest = seen.at(-1);
    if (newest !== undefined) return readNumber(newest, 'seq');
  }
  return null;
}

export function insertGraphSchema(
  executor: Executor,
  place: { readonly graph: number; readonly branch: number; readonly seq: number },
  source: string | null,
): void {
  const { graph, branch, seq } = place;
  executor.run(sql`delete from graph_schema where graph = ${graph} and seq = ${seq}`);
  executor.insert('graph_schema', ['graph', 'seq', 'branch', 'source'], [[graph, seq, branch, source]]);
  executor.run(
    sql`update branch set schema_seq = ${source === null ? null : seq} where graph = ${graph} and id = ${branch}`,
  );
}
