import type { WritableGraph } from '../../engine/graph.js';
import type { Source } from '../../language/source.js';
import { sourceError } from '../../language/source-problem.js';
import { TrellisError } from '../../model/error.js';
import { schemaViolation } from '../../model/violation.js';
import type { Writer } from '../../store/writer.js';
import { cachedGraphSchema } from '../enforce/graph-schema-cache.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { parseGraphSchema } from '../graph/parse-graph-schema.js';
import { planSchemaChange } from '../graph/plan/plan-schema-change.js';
import type { NarrowedEnum, RowCounts, SchemaPlan, SchemaStep } from '../graph/plan/schema-step.js';
import { applySchemaPlan } from './apply-schema-plan.js';
import { type BrokenQuery, refuseBrokenQueries } from './broken-queries.js';
import { countRowsWithValues } from './count-rows-with-values.js';
import { isSameSchemaSource } from './same-schema-source.js';

export interface ApplySchemaRequest {
  readonly source: string;
  /** What the source is called in messages. */
  readonly file?: string | undefined;
  /** Drop what the new schema has no place for. */
  readonly allowDataLoss?: boolean | undefined;
  /** Say what would be done, and change nothing. */
  readonly dryRun?: boolean | undefined;
  /** The stored queries that would no longer fit. */
  readonly findBrokenQueries?: ((schema: GraphSchema) => Promise<readonly BrokenQuery[]>) | undefined;
}

export interface ApplySchemaResult {
  /** Whether every step can be done. */
  readonly supported: boolean;
  readonly applied: boolean;
  readonly steps: readonly SchemaStep[];
  readonly commit: string | null;
}

/**
 * Gives a graph another schema, and brings its rows along: as one commit on `main`, or not at all. What was meant is worked
 * out first; a plan with a step that cannot be done is answered and left.
 */
export async function applyGraphSchema(
  target: WritableGraph,
  wish: ApplySchemaRequest,
): Promise<ApplySchemaResult> {
  const { source, file, allowDataLoss = false, dryRun = false } = wish;
  const after = parseGraphSchema(source, file);
  if (after.nodes.size === 0) throw emptySchemaError({ text: source, file });
  refuseBrokenQueries((await wish.findBrokenQueries?.(after)) ?? []);
  try {
    const { result, commit } = await target.commit(async ({ rows }) => {
      const before = await rows.schema();
      const plan = await planMigration(rows, before, after);
      if (!plan.supported || isSameSchemaSource(before, source)) return plan;
      if (plan.data_loss && !allowDataLoss) {
        if (dryRun) return plan;
        throw dataLossError(plan);
      }
      await rows.setSchema(source);
      await applySchemaPlan(rows, plan);
      const violations = await rows.violations('everything');
      if (violations.length > 0)
        throw schemaViolation(violations, 'Rows that are there do not fit the new schema');
      if (dryRun) throw new DryRunRollback(plan);
      return plan;
    });
    return {
      supported: result.supported,
      applied: commit !== null,
      steps: result.steps,
      commit: commit?.id ?? null,
    };
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
    return { supported: true, applied: false, steps: error.plan.steps, commit: null };
  }
}

/** Such a schema lets nothing in: more likely a file was cut off, or the schema was meant to be taken away. */
function emptySchemaError(source: Source): TrellisError {
  const message = 'The schema declares no node, so the graph could hold nothing.';
  return sourceError(source, [{ code: 'no_node', at: 0, message }], {
    code: 'SCHEMA_INVALID',
    hint: 'Declare a node. To be rid of a schema, undo the commit that applied it: a graph without one takes anything.',
  });
}

/** Ends a dry run: whether the rows fit shows only when it is done, so it is, and then given up. */
class DryRunRollback extends Error {
  constructor(readonly plan: SchemaPlan) {
    super('Dry run.');
  }
}

async function planMigration(rows: Writer, source: string | null, after: GraphSchema): Promise<SchemaPlan> {
  const before = source === null ? null : cachedGraphSchema(source);
  const counts = await rows.countsByType();
  const countRows: RowCounts['countRows'] = (kind, type) =>
    (kind === 'node' ? counts.nodes : counts.edges).get(type) ?? 0;
  // Which values are to go only a plan can tell, and a plan has to know who holds them: so it is made twice.
  const holding = new Map<string, number>();
  const narrowed: NarrowedEnum[] = [];
  planSchemaChange(before, after, { countRows, countRowsWithValues: (each) => narrowed.push(each) });
  for (const each of narrowed) holding.set(JSON.stringify(each), await countRowsWithValues(rows, each));
  return planSchemaChange(before, after, {
    countRows,
    countRowsWithValues: (each) => holding.get(JSON.stringify(each)) ?? 0,
  });
}

function dataLossError({ steps }: SchemaPlan): TrellisError {
  const losing = steps.filter((step) => step.data_loss);
  const [first] = losing;
  const more = losing.length > 1 ? ` And ${losing.length - 1} more.` : '';
  return new TrellisError('SCHEMA_DATA_LOSS', `The new schema would lose data: ${first?.message}${more}`, {
    hint: 'Nothing was applied. Rename with @rename_from("Old") to keep it, change the rows first, or apply with allow_data_loss (on the command line, --allow-data-loss).',
    details: { steps: losing },
  });
}
