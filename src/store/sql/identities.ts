import type { NodeId } from '../../model/node.js';
import type { IdentityDraft } from '../drafts.js';
import type { CountedIdentity, Identity } from '../read-results.js';
import type { ReadContext } from './dialect.js';
import type { SqlRow } from './executor.js';
import { readNumber, readText } from './rows.js';
import { sql } from './sql.js';
import type { OrdinalAllocator } from './write/ordinal-allocator.js';
import { appendColumns, identityColumns } from './write/row-values.js';

export async function identitiesNamed(
  { executor, dialect, lineage }: ReadContext,
  names: readonly string[],
): Promise<Identity[]> {
  if (names.length === 0) return [];
  const list = dialect.names.matchesAny(names);
  const rows = await executor.all(
    sql`select i.type, i.name, i.node from identity i where i.graph = ${lineage.graph} and ${list} order by i.node, i.type`,
  );
  return rows.map(readIdentity);
}

export async function identitiesOf(
  { executor, dialect, lineage }: ReadContext,
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

interface IdentityNodes {
  readonly fresh: readonly NodeId[];
  /** The next ordinals of nodes that have a counter already. */
  readonly counted: ReadonlyMap<NodeId, number>;
}

export function insertIdentities(
  { executor, dialect, lineage: { graph } }: ReadContext,
  drafts: readonly IdentityDraft[],
  { fresh, counted }: IdentityNodes,
  ordinals: OrdinalAllocator,
): Identity[] {
  const added: Identity[] = [];
  let used = 0;
  executor.insert(
    'identity',
    appendColumns(identityColumns, dialect.names.columns),
    drafts.map(({ type, name, observations = 0, node = fresh[used++] as NodeId }) => {
      added.push({ type, name, node });
      const next = counted.get(node);
      // Another row of the node already counts: all of them must have the same value.
      if (next === undefined) ordinals.reserve(node, observations);
      return [graph, name, type, node, next ?? observations + 1, ...dialect.names.values(name)];
    }),
  );
  return added;
}

function readIdentity(row: SqlRow): Identity {
  return { type: readText(row, 'type'), name: readText(row, 'name'), node: readNumber(row, 'node') };
}
