import { type DiffJson, diffToJson } from '../../engine/history/diff-json.js';
import type { GraphDiff, SchemaChange } from '../../engine/history/graph-diff.js';

export type DescribedSchemaStep = {
  step: string;
  kind: 'interface' | 'node' | 'edge';
  type: string;
  property?: string;
  /** The name before. */
  from?: string;
  message: string;
};

export interface DescribedSchemaChange {
  readonly change: 'added' | 'changed' | 'removed';
  /** Empty if only the wording changed, or if the schema was removed. */
  readonly steps: DescribedSchemaStep[];
}

export interface DescribedDiffWithSchema extends DiffJson {
  readonly schema?: DescribedSchemaChange;
}

export async function describeDiffWithSchema(diff: GraphDiff): Promise<DescribedDiffWithSchema> {
  const rows = await diffToJson(diff);
  return diff.schema === undefined ? rows : { schema: await describeSchemaChange(diff.schema), ...rows };
}

async function describeSchemaChange({ before, after }: SchemaChange): Promise<DescribedSchemaChange> {
  if (after === null) return { change: 'removed', steps: [] };
  // Loaded on demand: most diffs have no schema.
  const { cachedGraphSchema } = await import('../enforce/graph-schema-cache.js');
  const { planSchemaChange } = await import('../graph/plan/plan-schema-change.js');
  // Already applied, so row counts do not matter.
  const rows = { countRows: () => 0, countRowsWithValues: () => 0 };
  const earlier = before === null ? null : cachedGraphSchema(before);
  const { steps } = planSchemaChange(earlier, cachedGraphSchema(after), rows);
  return {
    change: before === null ? 'added' : 'changed',
    steps: steps.map((step) => ({
      ...{ step: step.step, kind: step.kind, type: step.type },
      ...('property' in step && step.property !== null ? { property: step.property } : {}),
      ...('from' in step ? { from: step.from } : {}),
      message: step.message,
    })),
  };
}
