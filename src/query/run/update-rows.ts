import { chunksOf } from '../../bounds/chunks.js';
import { forEachYielding } from '../../bounds/yielding-loops.js';
import { equalJson } from '../../engine/history/graph-diff.js';
import { patchProps } from '../../ingest/patch-props.js';
import { stampCollisionError } from '../../ingest/stamp-collision-error.js';
import { findStampCollision, type PropsWithProvenance, retainProvenance } from '../../model/provenance.js';
import type { UpdateRows } from '../bound-mutation.js';
import { matchedEdges, matchedNodes } from './matched-rows.js';
import type { AffectedCounts, MutationContext } from './mutation-context.js';

/** Sets and takes away properties of the rows that match. */
export async function updateRows(
  context: MutationContext,
  update: UpdateRows,
  number: number,
): Promise<AffectedCounts> {
  const { rows } = context;
  const revised = <T extends PropsWithProvenance>(found: readonly T[]) => {
    if (context.schema === null) refuseStampCollisions(found, update, number);
    return updatedRows(found, update);
  };
  if (update.of === 'node') {
    const nodes = await matchedNodes(context, update);
    for (const some of chunksOf(await revised(nodes))) await rows.putNodes(some);
    return { nodes: nodes.length, edges: 0 };
  }
  const edges = await matchedEdges(context, update);
  for (const some of chunksOf(await revised(edges))) await rows.putEdges(some);
  return { nodes: 0, edges: edges.length };
}

/** Those that are not as they should be already. */
async function updatedRows<T extends PropsWithProvenance>(
  rows: readonly T[],
  { set, unset }: UpdateRows,
): Promise<T[]> {
  const taken = Object.fromEntries(unset.map((name) => [name, null]));
  const revised: T[] = [];
  await forEachYielding(rows, (row) => {
    const props = patchProps(patchProps(row.props, set), taken);
    if (equalJson(props, row.props)) return;
    revised.push({ ...row, props, provenance: retainProvenance(row, props) });
  });
  return revised;
}

function refuseStampCollisions(
  rows: readonly PropsWithProvenance[],
  { set, type }: UpdateRows,
  number: number,
): void {
  for (const { provenance } of rows) {
    const field = findStampCollision(set, provenance);
    if (field !== undefined) throw stampCollisionError(`Statement ${number}: `, type, field);
  }
}
