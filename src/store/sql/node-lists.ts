import type { NodeId } from '../../model/node.js';
import type { ObservationTally, TalliedNode } from '../answers.js';
import type { NodePage } from '../questions.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment } from './executor.js';
import { afterOrder, and, limited } from './fragments.js';
import { type Lineage, visible } from './lineage.js';
import { integer, nodeColumns, readNode } from './rows.js';

/** The condition that no edge touches the node of row `r`. */
export function withoutEdges(lineage: Lineage): Fragment {
  const ends = ['e.from_node', 'e.to_node'].map((end): Fragment => {
    const edge = visible('edge_row', 'e', lineage);
    return {
      sql: `not exists (select 1 from edge_row e where ${end} = r.node and ${edge.sql})`,
      params: edge.params,
    };
  });
  return and([{ sql: 'r.stub = 0', params: [] }, ...ends]);
}

/** Real nodes whose summary is missing or older than their newest observation, with the tally of their observations. */
export async function nodesToSummarise(
  executor: Executor,
  dialect: Dialect,
  lineage: Lineage,
  { after, limit }: NodePage,
): Promise<TalliedNode[]> {
  const observation = visible('observation_row', 'o', lineage);
  const tally = (what: string) =>
    `(select ${what} from observation_row o where o.node = r.node and ${observation.sql})`;
  const where = and([
    visible('node_row', 'r', lineage),
    { sql: 'r.stub = 0', params: [] },
    {
      sql: `exists (select 1 from observation_row o where o.node = r.node and ${observation.sql}
        and (r.summary is null or r.summary_updated_at is null or o.created_at > r.summary_updated_at))${dialect.asked}`,
      params: observation.params,
    },
    ...afterOrder(after),
  ]);
  const tail = limited(limit);
  const rows = await executor.all(
    `select ${nodeColumns}, ${tally('count(*)')} as observations, ${tally('max(o.created_at)')} as newest
      from node_row r where ${where.sql} order by r.order_seq, r.order_position ${tail.sql}`,
    [...observation.params, ...observation.params, ...where.params, ...tail.params],
  );
  return rows.map((row) => ({
    node: readNode(row),
    observations: integer(row, 'observations'),
    newest: integer(row, 'newest'),
  }));
}

/** How many observations nodes have, and when the newest came; nodes without any are left out. */
export async function tallyObservations(
  executor: Executor,
  dialect: Dialect,
  lineage: Lineage,
  ids: readonly NodeId[],
): Promise<Map<NodeId, ObservationTally>> {
  if (ids.length === 0) return new Map();
  const where = and([visible('observation_row', 'r', lineage), dialect.inList('r.node', 'integer', ids)]);
  const rows = await executor.all(
    `select r.node, count(*) as observations, max(r.created_at) as newest
      from observation_row r where ${where.sql} group by r.node`,
    where.params,
  );
  return new Map(
    rows.map((row) => [
      integer(row, 'node'),
      { observations: integer(row, 'observations'), newest: integer(row, 'newest') },
    ]),
  );
}
