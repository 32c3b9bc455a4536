import type { Fragment, SqlRow } from '../executor.js';
import type { VersionedTable } from '../lineage.js';
import { readNumber } from '../rows.js';
import { raw, sql } from '../sql.js';

type Read = (statement: Fragment) => Promise<SqlRow[]>;

/** Row ids between two others. */
export interface RowRange {
  readonly after: number;
  readonly before: number;
}

/**
 * Divides a table into ranges of so many rows, whose ids may have gaps. The newest row is in none: see sql-tables.ts.
 * Each row is read once, however many ranges there are.
 *
 * @param rows See `Dialect.numberedRows`.
 */
export async function* rowRanges(
  read: Read,
  table: VersionedTable,
  rows: Fragment,
  size: number,
): AsyncGenerator<RowRange> {
  for (let after = 0; ; ) {
    const [next] = await read(
      sql`select row from ${raw(table)} where ${rows} and row > ${after} order by row limit 1 offset ${raw(size)}`,
    );
    if (next === undefined) {
      yield { after, before: await newestRow(read, table, rows, after) };
      return;
    }
    const before = readNumber(next, 'row');
    yield { after, before };
    after = before - 1;
  }
}

async function newestRow(read: Read, table: VersionedTable, rows: Fragment, after: number): Promise<number> {
  const [row] = await read(
    sql`select coalesce(max(row), 0) as newest from ${raw(table)} where ${rows} and row > ${after}`,
  );
  return row === undefined ? 0 : readNumber(row, 'newest');
}
