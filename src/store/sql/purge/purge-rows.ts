import type { PurgeResult } from '../../maintenance.js';
import type { Dialect } from '../dialect.js';
import type { SqlParam, SqlRow } from '../executor.js';
import type { VersionedTable } from '../lineage.js';
import { nodeTextFromRow } from '../node-text-from-row.js';
import { rebuildNodeProperties } from '../properties/node-properties.js';
import { rebuildPropertyIndex } from '../properties/property-index.js';
import { readNumber, readOptionalText, readText, selectNumber } from '../rows.js';
import { or, raw, sql } from '../sql.js';
import { deleteNodePairs } from '../vectors/node-pairs/saved/save-node-pairs.js';
import { requeueEmbedding } from '../vectors/text-vectors.js';
import { assignments, containsSecret, maskJson, maskText, type PurgeContext } from './purge-context.js';
import { purgeNames } from './purge-names.js';

const searchedColumns: Readonly<
  Record<VersionedTable, { readonly texts: readonly string[]; readonly json: readonly string[] }>
> = {
  node_row: { texts: ['summary'], json: ['tags', 'props', 'provenance'] },
  observation_row: { texts: ['text'], json: ['provenance'] },
  edge_row: { texts: [], json: ['props', 'provenance'] },
};

/** Where a text cannot be removed, because it identifies something. */
const unpurgeableColumns = [
  { what: 'types of nodes', table: 'identity', column: 'x.type' },
  { what: 'types or keys of edges', table: 'edge_row', column: 'x.type || x.key' },
  { what: 'actors or tools of commits', table: 'commit_log', column: 'x.actor || x.tool' },
  { what: 'names of branches', table: 'branch', column: 'x.name' },
];

/** Replaces a text in every version, inside the caller's transaction. Returns how many versions had it. */
export async function purgeEverywhere(context: PurgeContext, dryRun: boolean): Promise<PurgeResult> {
  const { executor, dialect, graph } = context;
  // Nobody may write meanwhile: that could bring the text back, or miss in the list of properties.
  if (!dryRun) {
    await executor.all(
      sql`select b.id from branch b where b.graph = ${graph} order by b.id ${raw(dialect.lockExclusively)}`,
    );
    // Nor write later what was planned before.
    executor.run(sql`update branch set purges = purges + 1 where graph = ${graph}`);
  }
  const names = await purgeNames(context, dryRun);
  const observations = await purgeRows(context, 'observation_row', dryRun);
  const nodes = await purgeRows(context, 'node_row', dryRun);
  const edges = await purgeRows(context, 'edge_row', dryRun);
  const rejections = await purgeRejections(context, dryRun);
  const commits = await purgeCommits(context, dryRun);
  const schemas = await purgeGraphSchemas(context, dryRun);
  if (!dryRun) {
    await rebuildNodeProperties(context);
    await rebuildPropertyIndex(context);
    // They say roughly what a text meant; who goes on from them finds another number of purges.
    deleteNodePairs(executor, graph);
  }
  const left = [...(await countUnpurgeable(context)), ...schemas.left];
  return { names, nodes, observations, edges, rejections, commits, schemas: schemas.count, left };
}

async function purgeRows(context: PurgeContext, table: VersionedTable, dryRun: boolean): Promise<number> {
  const { executor, dialect, graph } = context;
  const { texts, json } = searchedColumns[table];
  const tests = [...texts, ...json].map((column) => containsSecret(context, `r.${column}`));
  const more = table === 'node_row' ? ', r.name, r.type' : '';
  const columns = [...texts, ...json].map((column) => `r.${column}`).join(', ') + more;
  const rows = await executor.all(
    sql`select r.row, ${raw(columns)} from ${raw(table)} r where r.graph = ${graph} and (${or(tests)})`,
  );
  if (dryRun || rows.length === 0) return rows.length;
  const ids = rows.map((row) => readNumber(row, 'row'));
  await dialect.removeFromTextIndex(executor, table, ids);
  requeueEmbedding(context, table, ids);
  for (const row of rows) rewriteRow(context, table, row);
  await dialect.addToTextIndex(executor, table, ids);
  return rows.length;
}

function rewriteRow(
  { executor, dialect, graph, secret }: PurgeContext,
  table: VersionedTable,
  row: SqlRow,
): void {
  const { texts, json } = searchedColumns[table];
  const clean: Record<string, string | null> = {};
  for (const column of texts) {
    const value = readOptionalText(row, column);
    clean[column] = value === null ? null : maskText(value, secret);
  }
  for (const column of json) clean[column] = maskJson(readOptionalText(row, column), secret);
  const document = rowDocument(dialect, graph, table, row, clean);
  const changes = [...Object.keys(clean), ...(document.length === 0 ? [] : dialect.documentColumns)];
  const changed = assignments(changes, [...Object.values(clean), ...document]);
  executor.run(
    sql`update ${raw(table)} set ${changed} where graph = ${graph} and row = ${readNumber(row, 'row')}`,
  );
}

/** What makes the row searchable, where that is part of the row. */
function rowDocument(
  dialect: Dialect,
  graph: number,
  table: VersionedTable,
  row: SqlRow,
  clean: Readonly<Record<string, string | null>>,
): readonly SqlParam[] {
  if (table === 'edge_row') return [];
  const content = table === 'observation_row' ? (clean['text'] ?? '') : nodeTextFromRow({ ...row, ...clean });
  return dialect.documentValues(graph, content);
}

async function purgeRejections(context: PurgeContext, dryRun: boolean): Promise<number> {
  const { executor, graph, secret } = context;
  const test = containsSecret(context, 'r.content');
  const rows = await executor.all(
    sql`select r.id, r.content from rejection r where r.graph = ${graph} and ${test}`,
  );
  for (const row of dryRun ? [] : rows) {
    executor.run(
      sql`update rejection set content = ${maskJson(readText(row, 'content'), secret)} where graph = ${graph} and id = ${readNumber(row, 'id')}`,
    );
  }
  return rows.length;
}

async function purgeCommits(context: PurgeContext, dryRun: boolean): Promise<number> {
  const { executor, graph, secret } = context;
  const columns = ['client', 'message'];
  const tests = columns.map((column) => containsSecret(context, `c.${column}`));
  const rows = await executor.all(
    sql`select c.seq, c.client, c.message from commit_log c where c.graph = ${graph} and (${or(tests)})`,
  );
  for (const row of dryRun ? [] : rows) {
    const clean = columns.map((column) => {
      const value = readOptionalText(row, column);
      return value === null ? null : maskText(value, secret);
    });
    executor.run(
      sql`update commit_log set ${assignments(columns, clean)} where graph = ${graph} and seq = ${readNumber(row, 'seq')}`,
    );
  }
  return rows.length;
}

/** Masks a text in every version of the graph's schema. A version that would be invalid without it stays, and is reported. */
async function purgeGraphSchemas(
  context: PurgeContext,
  dryRun: boolean,
): Promise<{ readonly count: number; readonly left: readonly string[] }> {
  const { executor, graph, secret } = context;
  const test = containsSecret(context, 's.source');
  const rows = await executor.all(
    sql`select s.seq, s.source from graph_schema s where s.graph = ${graph} and ${test} order by s.seq`,
  );
  let stuck = 0;
  for (const row of rows) {
    const clean = maskText(readText(row, 'source'), secret);
    if (!(await isValidGraphSchema(context, clean))) stuck += 1;
    else if (!dryRun)
      executor.run(
        sql`update graph_schema set source = ${clean} where graph = ${graph} and seq = ${readNumber(row, 'seq')}`,
      );
  }
  return {
    count: rows.length - stuck,
    left: stuck === 0 ? [] : [`schemas, where it says what a type or a property is: ${stuck}`],
  };
}

async function isValidGraphSchema({ compileGraphSchema }: PurgeContext, source: string): Promise<boolean> {
  try {
    await compileGraphSchema(source);
    return true;
  } catch {
    return false;
  }
}

async function countUnpurgeable(context: PurgeContext): Promise<string[]> {
  const left: string[] = [];
  for (const { what, table, column } of unpurgeableColumns) {
    const count = await selectNumber(
      context.executor,
      sql`select count(*) as n from ${raw(table)} x where x.graph = ${context.graph} and ${containsSecret(context, column)}`,
    );
    if (count > 0) left.push(`${what}: ${count}`);
  }
  return left;
}
