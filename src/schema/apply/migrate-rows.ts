import type { RowWriter } from '../../store/writer.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { planSchemaChange } from '../graph/plan/plan-schema-change.js';
import type { SchemaStep } from '../graph/plan/schema-step.js';
import { applySchemaPlan } from './apply-schema-plan.js';

/** Steps that take something away from rows. */
const lossySteps: ReadonlySet<SchemaStep['step']> = new Set(['drop_type', 'drop_property', 'narrow_enum']);

/** Brings the rows of a branch to the schema of another one; what has no place there is left, to be told. */
export async function migrateRows(writer: RowWriter, before: GraphSchema, after: GraphSchema): Promise<void> {
  const counts = await writer.countsByType();
  const { steps, ...plan } = planSchemaChange(before, after, {
    countRows: (kind, type) => (kind === 'node' ? counts.nodes : counts.edges).get(type) ?? 0,
    countRowsWithValues: () => 0,
  });
  await applySchemaPlan(writer, { ...plan, steps: steps.filter(({ step }) => !lossySteps.has(step)) });
}
