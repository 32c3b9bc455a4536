import { z } from 'zod';
import type { Commit } from '../../model/commit.js';
import { limits } from '../../model/limits.js';
import { textProblem } from '../../model/text.js';

/** Well-formed, since a policy is asked about it before the graph is: Cedar knows no half of a surrogate pair. */
const name = wellFormedText(z.string().min(1).max(limits.nameLength));

/** Text that bytes can say. */
export function wellFormedText(text: z.ZodString): z.ZodString {
  return text.refine((given) => textProblem(given) === undefined, { error: textProblemMessage });
}

function textProblemMessage({ input }: { readonly input?: unknown }): string {
  return typeof input === 'string' ? (textProblem(input) ?? '') : '';
}

/** A branch that a call may leave out. */
export const branchInput = (what: string) =>
  name.optional().describe(`${what}; default: the branch of this endpoint, usually main`);

export const branchName = (what: string) => name.describe(what);

export const commitId = (what: string) => name.describe(what);

const countOutput = z.object({ created: z.int(), updated: z.int(), deleted: z.int() });

export const commitOutput = z.object({
  commit_id: z.string(),
  seq: z.int().describe('Increasing over all branches of the graph; gaps are normal'),
  branch: z.string().describe('The branch of the commit'),
  parent_commit_id: z.string().nullable(),
  merged_parent_commit_id: z
    .string()
    .nullable()
    .describe('The commit that was merged in; null unless the commit is a merge'),
  actor_id: z.string(),
  tool: z.string(),
  created_at: z.string(),
  counts: z.object({ nodes: countOutput, observations: countOutput, edges: countOutput }),
  schema_changed: z.literal(true).optional().describe('The schema changed; commits_get shows how'),
  collected: z.literal(true).optional().describe('Its state was garbage-collected and can no longer be read'),
});

/** A commit as agents see it. */
export function toCommitOutput(commit: Commit): z.output<typeof commitOutput> {
  const { id, seq, branch, parent, mergedParent, actor, tool, time, counts, setsSchema, collected } = commit;
  return {
    ...{ commit_id: id, seq, branch, parent_commit_id: parent, merged_parent_commit_id: mergedParent },
    ...{ actor_id: actor, tool, created_at: new Date(time).toISOString() },
    counts: {
      nodes: {
        ...{ created: counts.nodesCreated, updated: counts.nodesUpdated, deleted: counts.nodesDeleted },
      },
      observations: {
        created: counts.observationsAdded,
        updated: counts.observationsUpdated,
        deleted: counts.observationsDeleted,
      },
      edges: {
        ...{ created: counts.edgesCreated, updated: counts.edgesUpdated, deleted: counts.edgesDeleted },
      },
    },
    ...(setsSchema === undefined ? {} : { schema_changed: setsSchema }),
    ...(collected === undefined ? {} : { collected }),
  };
}
