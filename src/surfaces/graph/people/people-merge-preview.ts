import { z } from 'zod';
import { atLeastOne } from '../../../access/permission.js';
import { describeDiffWithSchema } from '../../../schema/apply/describe-diff-with-schema.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { mergeInput, mergeOutcomes } from '../graph-branches-merge.js';
import { changesOutput } from '../graph-changes-shapes.js';

const { source, target, take, resolutions } = mergeInput.shape;

const conflictOutput = z.object({
  kind: z.string(),
  id: z.string(),
  property: z.string().optional(),
  base: z.unknown().optional(),
  ours: z.unknown().optional().describe('On the target'),
  theirs: z.unknown().optional().describe('On the source'),
  message: z
    .string()
    .optional()
    .describe('Why the result would violate the schema; such a conflict has no sides'),
});

export const mergePreviewOutput = z.object({
  outcome: z.enum(mergeOutcomes),
  changes: changesOutput.describe('What the merge would change on the target'),
  conflicts: z.array(conflictOutput),
  shared_names: z.array(z.string()).describe('Names that nodes of several types would have'),
});

export const peopleMergePreview = defineTool({
  name: 'people_merge_preview',
  title: 'Preview a merge',
  description: 'Get what merging a branch into another would change, and what conflicts. Nothing is merged.',
  input: z.object({
    ...{ source, target, take, resolutions },
    default_side: z
      .enum(['source', 'target'])
      .optional()
      .describe('Which side wins in conflicts without a resolution'),
  }),
  output: mergePreviewOutput,
  annotations: reads,
  action: (args) => [
    { action: 'read', branch: args === undefined ? atLeastOne : args.source },
    { action: 'read', branch: args === undefined ? atLeastOne : args.target },
  ],
  async run({ graph, history }, { target: into = graph.branch, default_side: defaultSide, ...request }) {
    const report = await history.merge({ ...request, target: into, defaultSide, dryRun: true });
    return {
      outcome: report.outcome,
      changes: await describeDiffWithSchema(report.changes),
      conflicts: [...report.conflicts],
      shared_names: [...report.sharedNames],
    };
  },
});
