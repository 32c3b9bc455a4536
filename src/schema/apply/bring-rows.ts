import type { Writer } from '../../store/writer.js';
import type { GraphSchema } from '../pg/graph-schema.js';
import { planSchema } from '../pg/plan/plan-schema.js';
import { moveRows } from './move-rows.js';

/** Brings the rows of a branch to the schema of another one; what has no place there is left, to be told. */
export async function bringRows(writer: Writer, before: GraphSchema, after: GraphSchema): Promise<void> {
  const counts = await writer.countsByType();
  const { steps, ...plan } = planSchema(before, after, {
    rowsOf: (kind, type) => (kind === 'node' ? counts.nodes : counts.edges).get(type) ?? 0,
  });
  await moveRows(writer, {
    ...plan,
    steps: steps.filter(({ step }) => step !== 'drop_type' && step !== 'drop_property'),
  });
}
