import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { languageLimits } from '../../model/limits.js';
import type { StoredQueries } from '../../query/stored/stored-queries.js';
import type { BrokenQuery } from '../../schema/apply/broken-queries.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import type { SchemaStep } from '../../schema/graph/plan/schema-step.js';
import type { EmbedderSettings } from '../../search/embedders/open-embedder.js';
import type { CallContext } from '../call-context.js';
import { defineTool, type Tool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import { exactlyOne, ifCommitInput, messageInput, optionalReceipt, receiptOutput } from './graph-shapes.js';
import { storedQueryPermissions } from './stored/run-stored-query.js';

const schemaText = z.string().max(languageLimits.sourceLength);

const input = z.object({
  schema: schemaText.optional().describe('The complete new schema in the .pg language'),
  schema_source: schemaText.min(1).optional().describe('An alias'),
  allow_data_loss: z
    .boolean()
    .optional()
    .describe('Drop types and properties that the new schema does not have, with their data; default: false'),
  dry_run: z.boolean().optional().describe('Report the steps without changing anything; default: false'),
  if_commit: ifCommitInput,
  message: messageInput,
});

export const applyOutput = z.object({
  supported: z.boolean().describe('Whether every step is possible; false only in a dry run'),
  applied: z.boolean(),
  steps: z.array(
    z
      .object({
        step: z.string(),
        kind: z.enum(['interface', 'node', 'edge']),
        type: z.string(),
        message: z.string(),
        supported: z.boolean(),
        data_loss: z.boolean(),
      })
      .catchall(z.unknown()),
  ),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Vectors that @embed requires and that stay empty, because the embedder cannot produce them'),
  commit_id: z.string().optional().describe('Absent if nothing was applied'),
  graph_commit_id: z.string().optional(),
  commit: receiptOutput.optional(),
});

export function graphSchemaApply(
  queries: StoredQueries,
  embedding?: EmbedderSettings,
): Tool<z.output<typeof input>> {
  return defineTool({
    name: 'schema_apply',
    title: 'Apply a schema',
    description:
      'Set or change the schema of this graph and migrate its rows: one commit on main, or nothing. ' +
      'Rename types and properties with @rename_from("Old"); a new required property needs a @default if there are rows. ' +
      'Start with dry_run to see the steps. A change is rejected if it is impossible, loses data, breaks a stored query or does not fit the existing rows.',
    input,
    output: applyOutput,
    annotations: changes,
    action: () => [{ action: 'schema_apply', branch: mainBranch }],
    async run(call, { schema, schema_source, allow_data_loss, dry_run, if_commit, message }) {
      const { graph, may } = call.withMessage(message);
      const hint = 'Put the text of the schema into schema.';
      const source = exactlyOne('schema_apply', ['schema', 'schema_source'], hint, schema, schema_source);
      const { applyGraphSchema } = await import('../../schema/apply/apply-graph-schema.js');
      const { supported, applied, steps, commit } = await applyGraphSchema(
        graph.on(mainBranch).ifAt(if_commit),
        {
          ...{ source, allowDataLoss: allow_data_loss, dryRun: dry_run },
          findBrokenQueries: async (after) => findBrokenQueries({ may }, queries, after),
        },
      );
      if (!supported && dry_run !== true) throw unsupportedSchema(steps);
      const { embeddingMismatches } = await import(
        '../../search/embedding/properties/embedding-mismatches.js'
      );
      const warnings = [...(await embeddingMismatches(source, embedding))];
      return {
        ...(warnings.length === 0 ? {} : { warnings }),
        ...{ supported, applied, steps: steps.map((step) => ({ ...step })) },
        ...optionalReceipt(commit),
      };
    },
  });
}

/** Queries that the caller may not invoke are hidden. */
export function findBrokenQueries(
  { may }: Pick<CallContext, 'may'>,
  queries: StoredQueries,
  after: GraphSchema | null,
): BrokenQuery[] {
  const isHidden = (name: string) => {
    const query = queries.get(name);
    return query === undefined || !may(storedQueryPermissions(query, atLeastOne));
  };
  return queries.findBroken(after).map((query) => ({ ...query, isHidden: isHidden(query.name) }));
}

function unsupportedSchema(steps: readonly SchemaStep[]): TrellisError {
  const impossible = steps.filter((step) => !step.supported);
  const more = impossible.length > 1 ? ` And ${impossible.length - 1} more.` : '';
  return new TrellisError('SCHEMA_UNSUPPORTED', `${impossible[0]?.message}${more}`, {
    hint: 'Nothing was applied. Change the schema, or the rows first; dry_run shows all steps.',
    details: { steps: impossible },
  });
}
