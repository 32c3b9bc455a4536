import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import type { UndoSelection } from '../../engine/history/undo.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { limits } from '../../model/limits.js';
import type { StoredQueries } from '../../query/stored/stored-queries.js';
import { describeDiffWithSchema } from '../../schema/apply/describe-diff-with-schema.js';
import { embedAuthor } from '../../search/embedding/properties/fill-vectors.js';
import type { CallContext } from '../call-context.js';
import { storedName, timeInput } from '../common-shapes.js';
import { defineTool, type Tool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import { fitUndone } from './fit-undone.js';
import { changesOutput } from './graph-changes-shapes.js';
import { findBrokenQueries } from './graph-schema-apply.js';
import { branchInput, commitId, messageInput } from './graph-shapes.js';

const input = z.object({
  commit_ids: z
    .array(commitId('The id of a commit'))
    .max(limits.batchItems)
    .optional()
    .describe('The commits to undo, newest first'),
  actor: storedName.optional().describe('Undo the commits of this actor; needs since'),
  since: timeInput('Undo the commits of the actor since this time'),
  last: z.boolean().optional().describe('Undo the newest commit of the branch'),
  branch: branchInput('The branch to change'),
  dry_run: z.boolean().optional().describe('Report the outcome without changing anything; default: false'),
  message: messageInput,
});

export function graphUndo(queries: StoredQueries): Tool<z.output<typeof input>> {
  return defineTool({
    name: 'undo',
    title: 'Undo commits',
    description:
      'Undo commits with a new commit; an undo can be undone. What later commits changed stays, and is listed in left. ' +
      'Name what to undo: commit_ids, or last, or actor together with since. Start with dry_run to see what would change.',
    input,
    output: z.object({
      dry_run: z.boolean(),
      commit_id: z.string().nullable().describe('Null if nothing was changed'),
      undone: z.array(
        z.object({
          commit_id: z.string(),
          changes: changesOutput,
          left: z
            .array(z.record(z.string(), z.unknown()))
            .describe('What stays, because it has changed since'),
          more: z.int().optional().describe('How many changes and entries of left are not listed'),
        }),
      ),
      more: z.int().optional().describe('How many undone commits are not listed'),
    }),
    annotations: changes,
    // Undoing shows what a commit changed.
    action: (args) => {
      const branch = args === undefined ? atLeastOne : args.branch;
      return [
        { action: 'change', branch },
        { action: 'read', branch },
      ];
    },
    async run(call, { branch = call.graph.branch, dry_run: dryRun = false, message, ...given }) {
      const { history } = call.withMessage(message);
      const select = selectionOf(given);
      const report = await history.undo({
        ...{ branch, dryRun, select, background: embedAuthor.tool },
        mayRead: (name) => call.may([{ action: 'read', branch: name }]),
        checkSchema: (source) => checkSchema(call, queries, source),
      });
      const undone = await Promise.all(
        report.undone.map(async ({ commit, changes, left }) => ({
          commit_id: commit.id,
          changes: await describeDiffWithSchema(changes),
          left: left.map((conflict) => ({ ...conflict })),
        })),
      );
      return { dry_run: dryRun, commit_id: report.commit?.id ?? null, ...fitUndone(undone) };
    },
  });
}

type Selection = Pick<z.output<typeof input>, 'commit_ids' | 'actor' | 'since' | 'last'>;

function selectionOf({ commit_ids: commits, actor, since, last }: Selection): UndoSelection {
  const given = [commits, actor ?? since, last || undefined].filter((one) => one !== undefined);
  if (given.length === 1) {
    if (commits !== undefined) return { commits };
    if (last === true) return { last };
    if (actor !== undefined && since !== undefined) return { actor, since };
  }
  throw new TrellisError('INVALID_ARGUMENT', 'Name what to undo: commit_ids, last, or actor and since.', {
    hint: 'Nothing was done. Find commits with commits_list.',
  });
}

/** Restoring another schema is applying it. */
async function checkSchema(call: CallContext, queries: StoredQueries, source: string | null): Promise<void> {
  if (!call.may([{ action: 'schema_apply', branch: mainBranch }]))
    throw new TrellisError('FORBIDDEN', 'You may not undo a change of the schema.', {
      hint: 'Nothing was done. It needs schema_apply.',
    });
  const { refuseBrokenQueries } = await import('../../schema/apply/broken-queries.js');
  const { cachedGraphSchema } = await import('../../schema/enforce/graph-schema-cache.js');
  const after = source === null ? null : cachedGraphSchema(source);
  refuseBrokenQueries(findBrokenQueries(call, queries, after));
}
