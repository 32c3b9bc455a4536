import { nodeText } from '../../text/node-text.js';
import { integer, optionalText, readProps, readProvenance, text } from '../rows.js';
import { embedAgain } from '../vectors/text-vectors.js';
import { holds, type PurgeContext } from './holds.js';
import { redactText } from './redact.js';

/** Renames the nodes that have a text in their name, on every branch and in every version; answers how many names had it. */
export async function purgeNames(context: PurgeContext, dryRun: boolean): Promise<number> {
  const { executor, dialect, graph, secret } = context;
  const changes = ['name', ...dialect.names.columns].map((column) => `${column} = ?`).join(', ');
  const test = holds(context, 'i.name');
  const rows = await executor.all(
    `select i.name, i.type, i.node from identity i where i.graph = ? and ${test.sql} order by i.node, i.type`,
    [graph, ...test.params],
  );
  const renamed = new Map<string, { readonly node: number; readonly name: string; readonly fresh: string }>();
  for (const row of rows) {
    if (dryRun) continue;
    const [name, type, node] = [text(row, 'name'), text(row, 'type'), integer(row, 'node')];
    // All types of a node keep one name, and no two nodes get the same.
    const key = JSON.stringify([node, name]);
    const fresh = renamed.get(key)?.fresh ?? (await freeName(context, redactText(name, secret), node));
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

async function freeName(
  { executor, dialect, graph }: PurgeContext,
  wanted: string,
  node: number,
): Promise<string> {
  for (let name = wanted; ; name += ` ${node}`) {
    const isIt = dialect.names.isOneOf([name]);
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
  const ids = rows.map((row) => integer(row, 'row'));
  await dialect.forgetText(executor, 'node_row', ids);
  embedAgain(context, 'node_row', ids);
  const changes = ['name', ...dialect.documentColumns].map((column) => `${column} = ?`).join(', ');
  for (const row of rows) {
    const content = nodeText({
      ...{ name: fresh, type: text(row, 'type'), summary: optionalText(row, 'summary') },
      ...{ props: readProps(row), provenance: readProvenance(row) },
    });
    executor.run(`update node_row set ${changes} where graph = ? and row = ?`, [
      ...[fresh, ...dialect.document(graph, content)],
      ...[graph, integer(row, 'row')],
    ]);
  }
  await dialect.rememberText(executor, 'node_row', ids);
  for (const end of ['from', 'to']) {
    executor.run(
      `update edge_row set ${end}_name = ? where graph = ? and ${end}_node = ? and ${end}_name = ?`,
      [fresh, graph, node, name],
    );
  }
}
