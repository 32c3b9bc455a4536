import type { RowWriter } from '../../store/writer.js';
import type { GraphSchema } from '../pg/graph-schema.js';
import { planSchema } from '../pg/plan/plan-schema.js';
import type { SchemaStep } from '../pg/plan/schema-step.js';
import { moveRows } from './move-rows.js';

/** Steps that take something away from rows. */
const losing: ReadonlySet<SchemaStep['step']> = new Set(['drop_type', 'drop_property', 'narrow_enum']);

/** Brings the rows of a branch to the schema of another one; what has no place there is left, to be told. */
export async function bringRows(writer: RowWriter, before: GraphSchema, after: GraphSchema): Promise<void> {
  const counts = await writer.countsByType();
  const { steps, ...plan } = planSchema(before, after, {
    rowsOf: (kind, type) => (kind === 'node' ? counts.nodes : counts.edges).get(type) ?? 0,
    rowsHolding: () => 0,
  });
  await moveRows(writer, { ...plan, steps: steps.filter(({ step }) => !losing.has(step)) });
}
