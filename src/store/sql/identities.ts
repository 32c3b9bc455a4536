import type { NodeId } from '../../model/node.js';
import type { CountedIdentity, Identity } from '../read-results.js';
import type { SqlRow } from './executor.js';
import { readNumber, readText } from './rows.js';
import { sql } from './sql.js';
import type { VisibleRows } from './visible-rows.js';

/** What these names mean, and ever meant, whatever the type. */
export async function identitiesNamed(
  { executor, dialect, lineage }: VisibleRows,
  names: readonly string[],
): Promise<Identity[]> {
  if (names.length === 0) return [];
  const list = dialect.names.matchesAny(names);
  const rows = await executor.all(
    sql`select i.type, i.name, i.node from identity i where i.graph = ${lineage.graph} and ${list} order by i.node, i.type`,
  );
  return rows.map(readIdentity);
}

/** Every name that means one of these nodes, or ever did. */
export async function identitiesOf(
  { executor, dialect, lineage }: VisibleRows,
  ids: readonly NodeId[],
): Promise<CountedIdentity[]> {
  if (ids.length === 0) return [];
  const list = dialect.inList('i.node', 'integer', ids);
  const rows = await executor.all(
    sql`select i.type, i.name, i.node, i.next_ordinal from identity i where i.graph = ${lineage.graph} and ${list}
      order by i.node, i.name, i.type`,
  );
  return rows.map((row) => ({ ...readIdentity(row), nextOrdinal: readNumber(row, 'next_ordinal') }));
}

function readIdentity(row: SqlRow): Identity {
  return { type: readText(row, 'type'), name: readText(row, 'name'), node: readNumber(row, 'node') };
}
