import type { NodeId } from '../../model/node.js';
import type { RowPage } from '../read-requests.js';
import type { ObservationTally, TalliedNode } from '../read-results.js';
import type { ReadContext } from './dialect.js';
import type { Fragment } from './executor.js';
import { type Lineage, visible } from './lineage.js';
import { nodeColumns, readNode, readNumber } from './rows.js';
import { and, raw, sql } from './sql.js';
import { afterOrder, limitClause } from './visible-rows.js';

export function hasNoEdges(lineage: Lineage): Fragment {
  const ends = ['e.from_node', 'e.to_node'].map((end): Fragment => {
    const edge = visible('edge_row', 'e', lineage);
    return sql`not exists (select 1 from edge_row e where ${raw(end)} = r.node and ${edge})`;
  });
  return and([sql`r.stub = 0`, ...ends]);
}

export async function nodesToSummarise(
  { executor, dialect, lineage }: ReadContext,
  { after, limit }: RowPage,
): Promise<TalliedNode[]> {
  const observation = visible('observation_row', 'o', lineage);
  const tally = (what: string) =>
    sql`(select ${raw(what)} from observation_row o where o.node = r.node and ${observation})`;
  const where = and([
    visible('node_row', 'r', lineage),
    sql`r.stub = 0`,
    sql`exists (select 1 from observation_row o where o.node = r.node and ${observation}
        and (r.summary is null or r.summary_updated_at is null or o.created_at > r.summary_updated_at))${raw(dialect.existsSuffix)}`,
    ...afterOrder(after),
  ]);
  const rows = await executor.all(
    sql`select ${raw(nodeColumns)}, ${tally('count(*)')} as observations, ${tally('max(o.created_at)')} as newest
      from node_row r where ${where} order by r.order_seq, r.order_position ${limitClause(limit)}`,
  );
  return rows.map((row) => ({
    node: readNode(row),
    observations: readNumber(row, 'observations'),
    newest: readNumber(row, 'newest'),
  }));
}

export async function tallyObservations(
  { executor, dialect, lineage }: ReadContext,
  ids: readonly NodeId[],
): Promise<Map<NodeId, ObservationTally>> {
  if (ids.length === 0) return new Map();
  const where = and([visible('observation_row', 'r', lineage), dialect.inList('r.node', 'integer', ids)]);
  const rows = await executor.all(
    sql`select r.node, count(*) as observations, max(r.created_at) as newest
      from observation_row r where ${where} group by r.node`,
  );
  return new Map(
    rows.map((row) => [
      readNumber(row, 'node'),
      { observations: readNumber(row, 'observations'), newest: readNumber(row, 'newest') },
    ]),
  );
}
