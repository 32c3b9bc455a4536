import { portionsOf } from '../../bounds/portions.js';
import { saysSame } from '../../engine/history/graph-diff.js';
import { overlay } from '../../ingest/overlay.js';
import type { Props } from '../../model/json.js';
import type { UpdateRows } from '../bound-mutation.js';
import { matchedEdges, matchedNodes } from './matched-rows.js';
import type { Affected, Mutating } from './mutating.js';

/** Sets and takes away properties of the rows that match. */
export async function updateRows(context: Mutating, update: UpdateRows): Promise<Affected> {
  const { rows } = context;
  if (update.of === 'node') {
    const nodes = await matchedNodes(context, update);
    for (const some of portionsOf(revised(nodes, update))) await rows.putNodes(some);
    return { nodes: nodes.length, edges: 0 };
  }
  const edges = await matchedEdges(context, update);
  for (const some of portionsOf(revised(edges, update))) await rows.putEdges(some);
  return { nodes: 0, edges: edges.length };
}

/** Those that are not as they should be already. */
function revised<T extends { readonly props: Props }>(rows: readonly T[], { set, unset }: UpdateRows): T[] {
  const taken = Object.fromEntries(unset.map((name) => [name, null]));
  return rows
    .map((row) => ({ ...row, props: overlay(overlay(row.props, set), taken) }))
    .filter((row, index) => !saysSame(row.props, rows[index]?.props));
}
