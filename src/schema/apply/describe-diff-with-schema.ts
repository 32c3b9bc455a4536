import { type DiffJson, diffToJson } from '../../engine/history/diff-json.js';
import type { GraphDiff, SchemaChange } from '../../engine/history/graph-diff.js';

/** One step from a schema to another, as whoever looks at history is told it. */
export type DescribedSchemaStep = {
  step: string;
  kind: 'interface' | 'node' | 'edge';
  type: string;
  property?: string;
  /** What it was called before. */
  from?: string;
  message: string;
};

export interface DescribedSchemaChange {
  readonly change: 'added' | 'changed' | 'removed';
  /** How to get from the one to the other; none if only its wording differs, and none if it is removed. */
  readonly steps: DescribedSchemaStep[];
}

export interface DescribedDiffWithSchema extends DiffJson {
  /** Left out if the schema stays. */
  readonly schema?: DescribedSchemaChange;
}

/** A diff as programs print and send it, with what happens to the schema. */
export async function describeDiffWithSchema(diff: GraphDiff): Promise<DescribedDiffWithSchema> {
  const rows = await diffToJson(diff);
  return diff.schema === undefined ? rows : { schema: await describeSchemaChange(diff.schema), ...rows };
}

async function describeSchemaChange({ before, after }: SchemaChange): Promise<DescribedSchemaChange> {
  if (after === null) return { change: 'removed', steps: [] };
  // Loaded here: most of what is looked at has no schema.
  const { cachedGraphSchema } = await import('../enforce/graph-schema-cache.js');
  const { planSchemaChange } = await import('../graph/plan/plan-schema-change.js');
  // It has happened, so no rows stand in its way.
  const { steps } = planSchemaChange(
    before === null ? null : cachedGraphSchema(before),
    cachedGraphSchema(after),
    {
      countRows: () => 0,
      countRowsWithValues: () => 0,
    },
  );
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
