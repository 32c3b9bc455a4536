import { TrellisError } from '../../model/error.js';
import type { NodeId } from '../../model/node.js';
import type { ObservationDraft } from '../contract.js';
import type { Dialect } from './dialect.js';
import type { Executor } from './executor.js';
import { integer } from './rows.js';

/** Gives each draft its ordinal: the one it asks for, or the next of its node's counter, which never goes back. */
export async function takeOrdinals(
  executor: Executor,
  dialect: Dialect,
  graph: number,
  drafts: readonly ObservationDraft[],
): Promise<number[]> {
  const needs = new Map<NodeId, { fresh: number; past: number }>();
  for (const { node, ordinal } of drafts) {
    const need = needs.get(node) ?? { fresh: 0, past: 0 };
    if (ordinal === undefined) need.fresh += 1;
    else need.past = Math.max(need.past, ordinal + 1);
    needs.set(node, need);
  }
  const tuples = dialect.tuples(
    { node: 'integer', fresh: 'integer', past: 'integer' },
    [...needs].map(([node, { fresh, past }]) => [node, fresh, past]),
  );
  const rows = await executor.all(
    `update identity set next_ordinal =
        case when next_ordinal < t.past then t.past else next_ordinal end + t.fresh
      from ${tuples.sql} t where identity.graph = ? and identity.node = t.node
      returning identity.node, identity.next_ordinal`,
    [...tuples.params, graph],
  );
  const next = new Map<NodeId, number>();
  for (const row of rows) {
    const node = integer(row, 'node');
    next.set(node, integer(row, 'next_ordinal') - (needs.get(node)?.fresh ?? 0));
  }
  return drafts.map(({ node, ordinal }) => {
    if (ordinal !== undefined) return ordinal;
    const taken = next.get(node);
    if (taken === undefined)
      throw new TrellisError('INTERNAL', `Node ${node} has no identity to count ordinals on.`);
    next.set(node, taken + 1);
    return taken;
  });
}
