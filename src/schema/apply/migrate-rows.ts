import type { RowWriter } from '../../store/writer.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { planSchemaChange } from '../graph/plan/plan-schema-change.js';
import type { SchemaStep } from '../graph/plan/schema-step.js';
import { applySchemaPlan } from './apply-schema-plan.js';

/** Steps that remove something from rows. */
const lossySteps: ReadonlySet<SchemaStep['step']> = new Set(['drop_type', 'drop_property', 'narrow_enum']);

/** What does not fit the new schema stays, to be reported as violations. */
export async function migrateRows(writer: RowWriter, before: GraphSchema, after: GraphSchema): Promise<void> {
  const counts = await writer.countsByType();
  const { steps, ...plan } = planSchemaChange(before, after, {
    countRows: (kind, type) => (kind === 'node' ? counts.nodes : counts.edges).get(type) ?? 0,
    countRowsWithValues: () => 0,
  });
  await applySchemaPlan(writer, { ...plan, steps: steps.filter(({ step }) => !lossySteps.has(step)) });
}
