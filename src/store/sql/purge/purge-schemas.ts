import { integer, text } from '../rows.js';
import type { SchemaGuards } from '../write/schema-guards.js';
import { holds, type PurgeContext } from './holds.js';
import { redactText } from './redact.js';

/** Takes a text out of every version of the graph's schema; one that would be no schema without it stays, and is told. */
export async function purgeSchemas(
  context: PurgeContext,
  dryRun: boolean,
): Promise<{ readonly count: number; readonly left: readonly string[] }> {
  const { executor, graph, secret, guards } = context;
  const test = holds(context, 's.source');
  const rows = await executor.all(
    `select s.seq, s.source from graph_schema s where s.graph = ? and ${test.sql} order by s.seq`,
    [graph, ...test.params],
  );
  let stuck = 0;
  for (const row of rows) {
    const clean = redactText(text(row, 'source'), secret);
    if (!(await isSchema(guards, clean))) stuck += 1;
    else if (!dryRun)
      executor.run('update graph_schema set source = ? where graph = ? and seq = ?', [
        ...[clean, graph, integer(row, 'seq')],
      ]);
  }
  return {
    count: rows.length - stuck,
    left: stuck === 0 ? [] : [`schemas, where it says what a type or a property is: ${stuck}`],
  };
}

async function isSchema(guards: SchemaGuards, source: string): Promise<boolean> {
  try {
    await guards.of(source);
    return true;
  } catch {
    return false;
  }
}
