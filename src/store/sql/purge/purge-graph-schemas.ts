import { readNumber, readText } from '../rows.js';
import { sql } from '../sql.js';
import { containsSecret, maskText, type PurgeContext } from './purge-context.js';

/** Masks a text in every version of the graph's schema. A version that would be invalid without it stays, and is reported. */
export async function purgeGraphSchemas(
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
