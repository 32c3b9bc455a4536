import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { requireDeletable } from '../../engine/history/branches.js';
import {
  areResolvable,
  type Resolution,
  type ResolutionSide,
  schemaConflictHint,
} from '../../engine/history/merge/conflict.js';
import { type MergeReport, mergeBranches } from '../../engine/history/merge/merge-branches.js';
import { asTrellisError, TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { describeDiffWithSchema } from '../../schema/apply/describe-diff-with-schema.js';
import type { Store } from '../../store/store-contract.js';
import { mergeOutcomes } from '../../surfaces/graph/graph-branches-merge.js';
import { mergePreviewOutput } from '../../surfaces/graph/people/people-merge-preview.js';
import {
  authorOptions,
  type CommonOptions,
  commandAuthor,
  dataOptions,
  ifCommitOption,
} from '../command-options.js';
import { conflictOutput, formatConflict, type ShownConflict } from '../history/format-conflict.js';
import { type Changes, formatDiff } from '../history/format-diff.js';
import { printable } from '../history/printable.js';
import { note, pluralize, print } from '../print.js';
import { type GraphTools, withStoreOrServer } from '../remote/graph-tools.js';
import { showRemoteCommit } from '../remote/remote-history.js';

interface MergeOptions extends CommonOptions {
  readonly into: string;
  readonly take?: readonly Decision[];
  readonly dryRun?: boolean;
  readonly delete?: boolean;
}

/** Without an id, it is for all conflicts without a decision of their own. */
type Decision = Resolution | { readonly id?: undefined; readonly take: ResolutionSide };

const help = `
Branches are merged property by property, starting from the newest commit that both have. Changes
to different properties of a node do not conflict; different changes to the same property do.
Nothing is merged until every conflict is resolved.

Examples:
  $ trellis branch merge review --dry-run
  $ trellis branch merge review --take source:node/person/Ada#summary --delete
`;

export function defineBranchMerge(command: Command): void {
  command
    .description('Merge the changes of a branch into another, as one commit or not at all.')
    .argument('<source>', 'the branch to merge')
    .option('--into <branch>', 'the branch that receives the changes', mainBranch)
    .option(
      '--take <decision>',
      'resolve a conflict with source:ID or target:ID, or all others with source or target; repeatable',
      parseDecision,
    )
    .option('--dry-run', 'show what would change and what conflicts; merge nothing')
    .option('--delete', 'delete the source branch afterwards');
  ifCommitOption(authorOptions(dataOptions(command)))
    .addHelpText('after', help)
    .action(run);
}

function parseDecision(text: string, before: readonly Decision[] = []): Decision[] {
  const [, take = '', id, property] = /^(source|target)(?::([^#]+)(?:#(.+))?)?$/s.exec(text) ?? [];
  if (take !== 'source' && take !== 'target')
    throw new InvalidArgumentError(
      'It must be source or target, alone or with a conflict: source:node/person/Ada#summary.',
    );
  return [
    ...before,
    id === undefined ? { take } : { id, take, ...(property === undefined ? {} : { property }) },
  ];
}

interface MergeOutcome {
  readonly source: string;
  readonly target: string;
  readonly outcome: MergeReport['outcome'];
  readonly commit: string | null;
  readonly isDeleted: boolean;
  readonly changes: Changes;
  readonly conflicts: readonly ShownConflict[];
  readonly sharedNames: readonly string[];
}

async function run(source: string, options: MergeOptions): Promise<void> {
  const { into: target, dryRun = false, json = false } = options;
  const merged = await showingConflicts(options, source, () =>
    withStoreOrServer(options, {
      store: (store, graph) => mergeInStore(store, graph, source, options),
      server: (tools) => mergeOnServer(tools, source, options),
    }),
  );
  const { outcome, commit, isDeleted, changes, conflicts, sharedNames } = merged;
  if (json)
    print({
      ...{ source, target, outcome, dry_run: dryRun, commit_id: commit, branch_deleted: isDeleted },
      ...{ changes, conflicts },
    });
  else for (const line of reportLines(merged, dryRun)) print(line);
  for (const name of sharedNames)
    note(
      `several nodes of different types are now named ${printable(name)}; tools that take names will ask which one`,
    );
  if (conflicts.length > 0) process.exitCode = 1;
}

async function mergeInStore(
  store: Store,
  graph: string,
  source: string,
  options: MergeOptions,
): Promise<MergeOutcome> {
  const { into: target, dryRun = false } = options;
  if (options.delete === true) await requireDeletable(store, graph, source, target);
  const { outcome, commit, changes, conflicts, sharedNames } = await mergeBranches(store, {
    ...{ graph, source, target, dryRun, ...choicesOf(options) },
    author: commandAuthor(options, 'branches_merge'),
    ifCommit: options.ifCommit,
  });
  const isDeleted = options.delete === true && !dryRun;
  if (isDeleted) await store.deleteBranch(graph, source);
  return {
    ...{ source, target, outcome, commit: commit?.id ?? null, isDeleted, conflicts, sharedNames },
    changes: await describeDiffWithSchema(changes),
  };
}

async function mergeOnServer(
  tools: GraphTools,
  source: string,
  options: MergeOptions,
): Promise<MergeOutcome> {
  const { into: target, dryRun = false, message } = options;
  const { resolutions, defaultSide } = choicesOf(options);
  const branches = { source, target };
  if (dryRun) {
    const args = { ...branches, resolutions, default_side: defaultSide };
    const preview = await tools.call('people_merge_preview', args, mergePreviewOutput);
    const { shared_names: sharedNames, ...merged } = preview;
    return { ...branches, ...merged, sharedNames, commit: null, isDeleted: false };
  }
  try {
    const args = {
      ...{ ...branches, delete_branch: options.delete, message, resolutions },
      if_commit: options.ifCommit,
    };
    const answer = await tools.call('branches_merge', args, mergeAnswer);
    const commit = answer.commit_id ?? null;
    const changes =
      commit === null ? { nodes: [], edges: [] } : (await showRemoteCommit(tools, commit)).changes;
    return {
      ...{ ...branches, outcome: answer.outcome, commit, isDeleted: answer.branch_deleted },
      ...{ changes, conflicts: [], sharedNames: [] },
    };
  } catch (error) {
    const conflicts = conflictsOf(error);
    const isResolved = ({ id, property }: ShownConflict) =>
      resolutions.some((one) => one.id === id && one.property === property);
    const open = conflicts.filter((one) => one.message === undefined && !isResolved(one));
    if (defaultSide !== undefined && open.length > 0) {
      const taken = open.map(({ id, property }) => ({ id, property, take: defaultSide }));
      return mergeOnServer(tools, source, {
        ...options,
        take: [...resolutions, ...taken, { take: defaultSide }],
      });
    }
    throw error;
  }
}

const mergeAnswer = z.object({
  outcome: z.enum(mergeOutcomes),
  commit_id: z.string().optional(),
  branch_deleted: z.boolean(),
});

function choicesOf({ take = [] }: MergeOptions) {
  return {
    resolutions: take.filter((decision): decision is Resolution => decision.id !== undefined),
    defaultSide: take.findLast(({ id }) => id === undefined)?.take,
  };
}

function conflictsOf(error: unknown): readonly ShownConflict[] {
  const { code, details } = asTrellisError(error);
  const listed =
    code === 'MERGE_CONFLICT' ? z.array(conflictOutput).safeParse(details?.['conflicts']) : undefined;
  return listed?.data ?? [];
}

/** Prints the conflicts of a refused merge before its error. */
async function showingConflicts<T>(
  { json = false, into: target }: MergeOptions,
  source: string,
  merge: () => Promise<T>,
): Promise<T> {
  try {
    return await merge();
  } catch (error) {
    const conflicts = conflictsOf(error);
    if (json || conflicts.length === 0) throw error;
    const lines = conflicts.flatMap((one) => formatConflict(one, printable(target), printable(source)));
    process.stderr.write(`${lines.join('\n')}\n`);
    const { code, message } = asTrellisError(error);
    throw new TrellisError(code, message, {
      hint: areResolvable(conflicts)
        ? 'Resolve each with --take source:ID or --take target:ID, where ID is the text after its kind.'
        : schemaConflictHint(source, target),
      cause: error,
    });
  }
}

function reportLines(merged: MergeOutcome, dryRun: boolean): string[] {
  const [source, target] = [printable(merged.source), printable(merged.target)];
  const { outcome, commit, changes, conflicts } = merged;
  if (outcome === 'already_up_to_date') return [`${target} already has everything of ${source}.`];
  const amount = amountOf(changes);
  const how = outcome === 'fast_forward' ? 'fast-forward' : 'merge';
  if (!dryRun)
    return [
      `Merged ${source} into ${target} (${how}): ${amount} changed. Commit ${commit}`,
      ...(merged.isDeleted ? [`Deleted the branch ${source}.`] : []),
    ];
  return [
    `Merging ${source} into ${target} (${how}) would change ${amount}; ${pluralize(conflicts.length, 'conflict')}.`,
    ...formatDiff(changes),
    ...conflicts.flatMap((conflict) => formatConflict(conflict, target, source)),
  ];
}

function amountOf({ schema, nodes, edges }: Changes): string {
  const rows = `${pluralize(nodes.length, 'node')}, ${pluralize(edges.length, 'edge')}`;
  return schema === undefined ? rows : `the schema, ${rows}`;
}
