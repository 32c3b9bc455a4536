import type { Transaction } from '../../../engine/graph.js';
import type { EdgeSpec } from '../../../engine/specs.js';
import type { Edge } from '../../../model/edge.js';
import { withEdgeMakers } from '../../../schema/mesh/edge-makers.js';
import type { MeshEdgeDraft } from '../../../schema/mesh/mesh-node-draft.js';
import type { EdgeMakersUpdate } from '../../../schema/mesh/mesh-node-update.js';
import type { Reader } from '../../../store/reader.js';

export async function edgesWithMakers(reader: Reader, edges: readonly MeshEdgeDraft[]): Promise<EdgeSpec[]> {
  const canRecord = edges.length > 0 && (await canRecordMakers(reader));
  return edges.map(({ from, to, type, makers }) => ({
    ...{ from, to, type },
    ...(canRecord ? { props: withEdgeMakers({}, { makers, byHand: false }) } : {}),
  }));
}

/** Updates the makers of edges that stay. */
export async function recordEdgeMakers(
  { rows }: Transaction,
  edges: readonly Edge[],
  records: readonly EdgeMakersUpdate[],
): Promise<void> {
  if (records.length === 0 || !(await canRecordMakers(rows))) return;
  const changed = records.flatMap(({ type, to, recorded }) => {
    const edge = edges.find((one) => one.type === type && one.toName === to);
    if (edge === undefined) return [];
    const props = withEdgeMakers(edge.props, recorded);
    return JSON.stringify(props) === JSON.stringify(edge.props) ? [] : [{ ...edge, props }];
  });
  if (changed.length > 0) await rows.putEdges(changed);
}

/** A graph with a schema refuses undeclared properties; there the metadata must tell the makers. */
async function canRecordMakers(reader: Reader): Promise<boolean> {
  return (await reader.schema()) === null;
}
