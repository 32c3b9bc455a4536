import { type Command, InvalidArgumentError } from 'commander';
import { requireDeletable } from '../../engine/history/branches.js';
import {
  areResolvable,
  MergeConflictError,
  type Resolution,
  type ResolutionSide,
  schemaConflictHint,
} from '../../engine/history/merge/conflict.js';
import { type MergeReport, mergeBranches } from '../../engine/history/merge/merge-branches.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import {
  type DescribedDiffWithSchema,
  describeDiffWithSchema,
} from '../../schema/apply/describe-diff-with-schema.js';
import { authorOptions, type CommonOptions, commandAuthor, commonOptions } from '../command-options.js';
import { formatConflict } from '../history/format-conflict.js';
import { formatDiff } from '../history/format-diff.js';
import { printable } from '../history/printable.js';
import { withGraph } from '../history/with-graph.js';
import { note, pluralize, print } from '../print.js';

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
  authorOptions(commonOptions(command)).addHelpText('after', help).action(run);
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

async function run(source: string, options: MergeOptions): Promise<void> {
  const { into: target, take = [], dryRun = false, json = false } = options;
  await withGraph(options, async (store, graph) => {
    if (options.delete === true) await requireDeletable(store, graph, source, target);
    const report = await showingConflicts(options, source, () =>
      mergeBranches(store, {
        ...{ graph, source, target, dryRun },
        author: commandAuthor(options, 'merge'),
        resolutions: take.filter((decision): decision is Resolution => decision.id !== undefined),
        defaultSide: take.findLast(({ id }) => id === undefined)?.take,
      }),
    );
    const deleted = options.delete === true && !dryRun;
    if (deleted) await store.deleteBranch(graph, source);
    const changes = await describeDiffWithSchema(report.changes);
    if (json) print(reportObject(report, changes, dryRun, deleted));
    else for (const line of reportLines(report, changes, dryRun, deleted)) print(line);
    for (const name of report.sharedNames)
      note(
        `several nodes of different types are now named ${printable(name)}; tools that take names will ask which one`,
      );
    if (report.conflicts.length > 0) process.exitCode = 1;
  });
}

/** Prints the conflicts of a refused merge before its error. */
async function showingConflicts(
  { json = false, into: target }: MergeOptions,
  source: string,
  merge: () => Promise<MergeReport>,
): Promise<MergeReport> {
  try {
    return await merge();
  } catch (error) {
    if (json || !(error instanceof MergeConflictError)) throw error;
    const lines = error.conflicts.flatMap((conflict) =>
      formatConflict(conflict, printable(target), printable(source)),
    );
    process.stderr.write(`${lines.join('\n')}\n`);
    throw new TrellisError(error.code, error.message, {
      hint: areResolvable(error.conflicts)
        ? 'Resolve each with --take source:ID or --take target:ID, where ID is the text after its kind.'
        : schemaConflictHint(source, target),
      cause: error,
    });
  }
}

function reportObject(
  { source, target, outcome, commit, conflicts }: MergeReport,
  changes: DescribedDiffWithSchema,
  dryRun: boolean,
  deleted: boolean,
): object {
  return {
    ...{ source, target, outcome, dry_run: dryRun, commit_id: commit?.id ?? null, branch_deleted: deleted },
    ...{ changes, conflicts },
  };
}

function reportLines(
  report: MergeReport,
  changes: DescribedDiffWithSchema,
  dryRun: boolean,
  deleted: boolean,
): string[] {
  const [source, target] = [printable(report.source), printable(report.target)];
  const { outcome, commit, conflicts } = report;
  if (outcome === 'already_up_to_date') return [`${target} already has everything of ${source}.`];
  const rows = `${pluralize(changes.nodes.length, 'node')}, ${pluralize(changes.edges.length, 'edge')}`;
  const amount = changes.schema === undefined ? rows : `the schema, ${rows}`;
  const how = outcome === 'fast_forward' ? 'fast-forward' : 'merge';
  const gone = deleted ? [`Deleted the branch ${source}.`] : [];
  if (!dryRun)
    return [`Merged ${source} into ${target} (${how}): ${amount} changed. Commit ${commit?.id}`, ...gone];
  return [
    `Merging ${source} into ${target} (${how}) would change ${amount}; ${pluralize(conflicts.length, 'conflict')}.`,
    ...formatDiff(changes),
    ...conflicts.flatMap((conflict) => formatConflict(conflict, target, source)),
  ];
}
