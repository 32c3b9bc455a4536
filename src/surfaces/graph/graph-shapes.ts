import { z } from 'zod';
import { type Action, atLeastOne, type Permission } from '../../access/permission.js';
import { authorOf, type Commit, unknownBranch } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { commitLimits, limits } from '../../model/limits.js';
import { textProblem } from '../../model/text.js';

/** Well-formed, since the policy sees it first, and Cedar refuses half of a surrogate pair. */
const name = wellFormedText(z.string().min(1).max(limits.nameLength));

/** Text that UTF-8 can encode. */
export function wellFormedText(text: z.ZodString): z.ZodString {
  return text.refine((given) => textProblem(given) === undefined, {
    error: ({ input }) => (typeof input === 'string' ? (textProblem(input) ?? '') : ''),
  });
}

export const branchInput = (what: string) =>
  name.optional().describe(`${what}; default: the branch of this endpoint, usually main`);

export const branchName = (what: string) => name.describe(what);

export const commitId = (what: string) => name.describe(what);

/** The action on the branch that the arguments name; without arguments, on at least one branch. */
export function branchPermission<A>(
  action: Action,
  branchOf: (args: A) => string | undefined,
): (args?: A) => readonly Permission[] {
  return (args) => [{ action, branch: args === undefined ? atLeastOne : branchOf(args) }];
}

/** The text of an argument that may have another name. */
export function exactlyOne(
  tool: string,
  [name, alias]: readonly [string, string],
  hint: string,
  ...[text, another]: readonly [string | undefined, string | undefined]
): string {
  const given = text ?? another;
  if (given !== undefined && (text === undefined || another === undefined)) return given;
  const problem =
    given === undefined
      ? `neither ${name} nor ${alias} has a text`
      : `${alias} is another name of ${name}, and both are given`;
  throw new TrellisError('INVALID_ARGUMENT', `Invalid arguments for ${tool}: ${problem}.`, {
    hint: `Nothing was done. ${hint}`,
  });
}

export const messageInput = wellFormedText(z.string().min(1).max(commitLimits.messageLength))
  .optional()
  .describe('Why, in your own words; stored with the commit');

export const ifCommitInput = name
  .optional()
  .describe(
    'Write only if this commit is the head of the branch, such as the commit_id of what you read; otherwise nothing is written, and the error says what changed since',
  );

/** The id of a commit under both of its names: clients of Omnigraph use the second. */
export function commitIds<Id extends string | null>(id: Id) {
  return { commit_id: id, graph_commit_id: id };
}

const countOutput = z.object({ created: z.int(), updated: z.int(), deleted: z.int() });

export const commitOutput = z.object({
  commit_id: z.string(),
  graph_commit_id: z.string(),
  seq: z.int().describe('Increasing over all branches of the graph; gaps are normal'),
  branch: z.string().optional().describe('The branch of the commit; absent if you may not read it'),
  parent_commit_id: z.string().nullable(),
  merged_parent_commit_id: z
    .string()
    .nullable()
    .describe('The commit that was merged in; null unless the commit is a merge'),
  actor_id: z.string(),
  tool: z.string(),
  client: z.string().optional().describe('The MCP client, as name/version'),
  message: z.string().optional().describe('Why, in the words of the author'),
  created_at: z.string(),
  counts: z.object({ nodes: countOutput, observations: countOutput, edges: countOutput }),
  schema_changed: z.literal(true).optional().describe('The schema changed; commits_get shows how'),
  collected: z.literal(true).optional().describe('Its state was garbage-collected and can no longer be read'),
});

export function toCommitOutput(commit: Commit): z.output<typeof commitOutput> {
  const { id, seq, branch, parent, mergedParent, time, counts, setsSchema, collected } = commit;
  const { actor, ...author } = authorOf(commit);
  return {
    ...{ ...commitIds(id), seq, ...(branch === unknownBranch ? {} : { branch }) },
    ...{ parent_commit_id: parent, merged_parent_commit_id: mergedParent },
    ...{ actor_id: actor, ...author, created_at: new Date(time).toISOString() },
    counts: {
      nodes: { created: counts.nodesCreated, updated: counts.nodesUpdated, deleted: counts.nodesDeleted },
      observations: {
        created: counts.observationsAdded,
        updated: counts.observationsUpdated,
        deleted: counts.observationsDeleted,
      },
      edges: { created: counts.edgesCreated, updated: counts.edgesUpdated, deleted: counts.edgesDeleted },
    },
    ...(setsSchema === undefined ? {} : { schema_changed: setsSchema }),
    ...(collected === undefined ? {} : { collected }),
  };
}

/** What a write leaves: its answer proves which commit it made, and on which. */
export const receiptOutput = commitOutput
  .pick({ commit_id: true, graph_commit_id: true, parent_commit_id: true, created_at: true, counts: true })
  .describe('The commit that was made');

export function toReceipt(commit: Commit): z.output<typeof receiptOutput> {
  const { commit_id, graph_commit_id, parent_commit_id, created_at, counts } = toCommitOutput(commit);
  return { commit_id, graph_commit_id, parent_commit_id, created_at, counts };
}

/** For writes that may change nothing. */
export function receiptMembers(commit: Commit | null) {
  return { ...commitIds(commit?.id ?? null), commit: commit === null ? null : toReceipt(commit) };
}

/** For writes whose result leaves a missing commit out. */
export function optionalReceipt(commit: Commit | null) {
  return commit === null ? {} : { ...commitIds(commit.id), commit: toReceipt(commit) };
}
