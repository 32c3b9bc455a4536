import { nodeTextFromRow } from '../node-text-from-row.js';
import { readNumber, readText } from '../rows.js';
import { raw, sql } from '../sql.js';
import { requeueEmbedding } from '../vectors/text-vectors.js';
import { assignments, containsSecret, maskText, type PurgeContext } from './purge-context.js';

/** Renames the nodes that have a text in their name, in every version; returns how many names had it. */
export async function purgeNames(context: PurgeContext, dryRun: boolean): Promise<number> {
  const { executor, dialect, graph, secret } = context;
  const test = containsSecret(context, 'i.name');
  const rows = await executor.all(
    sql`select i.name, i.type, i.node from identity i where i.graph = ${graph} and ${test} order by i.node, i.type`,
  );
  const renamed = new Map<string, { readonly node: number; readonly name: string; readonly fresh: string }>();
  for (const row of rows) {
    if (dryRun) continue;
    const [name, type, node] = [readText(row, 'name'), readText(row, 'type'), readNumber(row, 'node')];
    // All types of a node keep one name, and no two nodes get the same.
    const key = JSON.stringify([node, name]);
    const fresh = renamed.get(key)?.fresh ?? (await unusedName(context, maskText(name, secret), node));
    renamed.set(key, { node, name, fresh });
    const changes = assignments(['name', ...dialect.names.columns], [fresh, ...dialect.names.values(fresh)]);
    executor.run(
      sql`update identity set ${changes} where graph = ${graph} and node = ${node} and name = ${name} and type = ${type}`,
    );
  }
  for (const { node, name, fresh } of renamed.values()) await renameRows(context, node, name, fresh);
  return rows.length;
}

async function unusedName(
  { executor, dialect, graph }: PurgeContext,
  wanted: string,
  node: number,
): Promise<string> {
  for (let name = wanted; ; name += ` ${node}`) {
    const isIt = dialect.names.matchesAny([name]);
    const taken = await executor.all(
      sql`select 1 as taken from identity i where i.graph = ${graph} and ${isIt} limit 1`,
    );
    if (taken.length === 0) return name;
  }
}

async function renameRows(context: PurgeContext, node: number, name: string, fresh: string): Promise<void> {
  const { executor, dialect, graph } = context;
  const rows = await executor.all(
    sql`select row, type, summary, props, provenance from node_row where graph = ${graph} and node = ${node} and name = ${name}`,
  );
  const ids = rows.map((row) => readNumber(row, 'row'));
  await dialect.removeFromTextIndex(executor, 'node_row', ids);
  requeueEmbedding(context, 'node_row', ids);
  for (const row of rows) {
    const content = nodeTextFromRow({ ...row, name: fresh });
    const changes = assignments(
      ['name', ...dialect.documentColumns],
      [fresh, ...dialect.documentValues(graph, content)],
    );
    executor.run(
      sql`update node_row set ${changes} where graph = ${graph} and row = ${readNumber(row, 'row')}`,
    );
  }
  await dialect.addToTextIndex(executor, 'node_row', ids);
  for (const end of ['from', 'to']) {
    executor.run(
      sql`update edge_row set ${raw(end)}_name = ${fresh} where graph = ${graph} and ${raw(end)}_node = ${node} and ${raw(end)}_name = ${name}`,
    );
  }
}
