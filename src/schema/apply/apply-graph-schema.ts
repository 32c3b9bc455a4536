import type { WritableGraph } from '../../engine/graph.js';
import type { Source } from '../../language/source.js';
import { sourceError } from '../../language/source-problem.js';
import type { Commit } from '../../model/commit.js';
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
  /** The name of the source in messages. */
  readonly file?: string | undefined;
  readonly allowDataLoss?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** The stored queries that the schema would break. */
  readonly findBrokenQueries?: ((schema: GraphSchema) => Promise<readonly BrokenQuery[]>) | undefined;
}

export interface ApplySchemaResult {
  readonly supported: boolean;
  readonly applied: boolean;
  readonly steps: readonly SchemaStep[];
  readonly commit: Commit | null;
}

/**
 * Sets the schema of a graph and migrates its rows, as one commit or not at all. A plan with an unsupported step is returned
 * and not applied.
 *
 * @param target The branch `main`.
 */
export async function applyGraphSchema(
  target: WritableGraph,
  request: ApplySchemaRequest,
): Promise<ApplySchemaResult> {
  const { source, file, allowDataLoss = false, dryRun = false } = request;
  const after = parseGraphSchema(source, file);
  if (after.nodes.size === 0) throw emptySchemaError({ text: source, file });
  refuseBrokenQueries((await request.findBrokenQueries?.(after)) ?? []);
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
      commit,
    };
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
    return { supported: true, applied: false, steps: error.plan.steps, commit: null };
  }
}

/** More likely a file was cut off, or the schema was meant to be removed. */
function emptySchemaError(source: Source): TrellisError {
  const message = 'The schema declares no node, so the graph could hold nothing.';
  return sourceError(source, [{ code: 'no_node', at: 0, message }], {
    code: 'SCHEMA_INVALID',
    hint: 'Declare a node. To be rid of a schema, undo the commit that applied it: a graph without one takes anything.',
  });
}

/** Ends a dry run: only applying the plan shows whether the rows fit, so it is applied and rolled back. */
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
  // Planned twice: only a plan tells which enum values go, and the final plan needs the rows that have them.
  const rowsWithValues = new Map<string, number>();
  const narrowed: NarrowedEnum[] = [];
  planSchemaChange(before, after, { countRows, countRowsWithValues: (each) => narrowed.push(each) });
  for (const each of narrowed)
    rowsWithValues.set(JSON.stringify(each), await countRowsWithValues(rows, each));
  return planSchemaChange(before, after, {
    countRows,
    countRowsWithValues: (each) => rowsWithValues.get(JSON.stringify(each)) ?? 0,
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
