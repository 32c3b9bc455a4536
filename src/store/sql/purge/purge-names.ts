import { nodeText } from '../../text/node-text.js';
import { readNumber, readOptionalText, readProps, readProvenance, readText } from '../rows.js';
import { requeueEmbedding } from '../vectors/text-vectors.js';
import { maskText } from './mask-text.js';
import { containsSecret, type PurgeContext } from './purge-context.js';

/** Renames the nodes that have a text in their name, on every branch and in every version; answers how many names had it. */
export async function purgeNames(context: PurgeContext, dryRun: boolean): Promise<number> {
  const { executor, dialect, graph, secret } = context;
  const changes = ['name', ...dialect.names.columns].map((column) => `${column} = ?`).join(', ');
  const test = containsSecret(context, 'i.name');
  const rows = await executor.all(
    `select i.name, i.type, i.node from identity i where i.graph = ? and ${test.sql} order by i.node, i.type`,
    [graph, ...test.params],
  );
  const renamed = new Map<string, { readonly node: number; readonly name: string; readonly fresh: string }>();
  for (const row of rows) {
    if (dryRun) continue;
    const [name, type, node] = [readText(row, 'name'), readText(row, 'type'), readNumber(row, 'node')];
    // All types of a node keep one name, and no two nodes get the same.
    const key = JSON.stringify([node, name]);
    const fresh = renamed.get(key)?.fresh ?? (await unusedName(context, maskText(name, secret), node));
    renamed.set(key, { node, name, fresh });
    executor.run(`update identity set ${changes} where graph = ? and node = ? and name = ? and type = ?`, [
      fresh,
      ...dialect.names.values(fresh),
      graph,
      node,
      name,
      type,
    ]);
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
      `select 1 as taken from identity i where i.graph = ? and ${isIt.sql} limit 1`,
      [graph, ...isIt.params],
    );
    if (taken.length === 0) return name;
  }
}

async function renameRows(context: PurgeContext, node: number, name: string, fresh: string): Promise<void> {
  const { executor, dialect, graph } = context;
  const rows = await executor.all(
    'select row, type, summary, props, provenance from node_row where graph = ? and node = ? and name = ?',
    [graph, node, name],
  );
  const ids = rows.map((row) => readNumber(row, 'row'));
  await dialect.removeFromTextIndex(executor, 'node_row', ids);
  requeueEmbedding(context, 'node_row', ids);
  const changes = ['name', ...dialect.documentColumns].map((column) => `${column} = ?`).join(', ');
  for (const row of rows) {
    const content = nodeText({
      ...{ name: fresh, type: readText(row, 'type'), summary: readOptionalText(row, 'summary') },
      ...{ props: readProps(row), provenance: readProvenance(row) },
    });
    executor.run(`update node_row set ${changes} where graph = ? and row = ?`, [
      ...[fresh, ...dialect.documentValues(graph, content)],
      ...[graph, readNumber(row, 'row')],
    ]);
  }
  await dialect.addToTextIndex(executor, 'node_row', ids);
  for (const end of ['from', 'to']) {
    executor.run(
      `update edge_row set ${end}_name = ? where graph = ? and ${end}_node = ? and ${end}_name = ?`,
      [fresh, graph, node, name],
    );
  }
}
