import { chunksOf } from '../../bounds/chunks.js';
import { forEachYielding } from '../../bounds/yielding-loops.js';
import { equalJson } from '../../model/json.js';
import { patchProps } from '../../model/patch-props.js';
import { findStampCollision, type PropsWithProvenance, retainProvenance } from '../../model/provenance.js';
import { stampCollisionError } from '../../model/stamp-collision-error.js';
import type { DeleteRows, UpdateRows } from '../bound-mutation.js';
import { matchedEdges, matchedNodes } from './matched-rows.js';
import type { AffectedCounts, MutationContext } from './mutation-context.js';

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

/** Leaves out rows that would not change. */
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

/** Deletes the rows that match; a node's edges are deleted with it and counted. */
export async function deleteRows(context: MutationContext, statement: DeleteRows): Promise<AffectedCounts> {
  const { rows } = context;
  if (statement.of === 'edge') {
    const edges = await matchedEdges(context, statement);
    for (const some of chunksOf(edges)) await rows.removeEdges(some);
    return { nodes: 0, edges: edges.length };
  }
  const nodes = await matchedNodes(context, statement);
  let edges = 0;
  for (const some of chunksOf(nodes.map(({ id }) => id))) {
    edges += (await rows.removeNodes(some)).length;
  }
  return { nodes: nodes.length, edges };
}
