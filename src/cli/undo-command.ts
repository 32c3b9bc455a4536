import type { Command } from 'commander';
import { type Settings, settingsOfGraph } from '../config/settings.js';
import { isEmptyDiff } from '../engine/history/graph-diff.js';
import {
  commitsToUndo,
  type UndoneCommit,
  type UndoReport,
  type UndoRequest,
  type UndoSelection,
  undo,
  undoTool,
} from '../engine/history/undo.js';
import { TrellisError } from '../model/error.js';
import { mainBranch } from '../model/graph-record.js';
import {
  type DescribedDiffWithSchema,
  describeDiffWithSchema,
} from '../schema/apply/describe-diff-with-schema.js';
import { embedAuthor } from '../search/embedding/properties/fill-vectors.js';
import type { Store } from '../store/store-contract.js';
import { authorOptions, type CommonOptions, commandAuthor, commonOptions } from './command-options.js';
import { formatCommitLine } from './history/format-commit.js';
import { formatConflict } from './history/format-conflict.js';
import { formatDiff } from './history/format-diff.js';
import { parseTime } from './history/parse-time.js';
import { withGraph } from './history/with-graph.js';
import { pluralize, print } from './print.js';
import { validStoredQueries } from './query/valid-stored-queries.js';

interface UndoOptions extends CommonOptions {
  readonly branch: string;
  readonly commit?: string;
  readonly actor?: string;
  readonly since?: number;
  readonly last?: true;
  readonly dryRun?: boolean;
}

const help = `
Undoes commits with a new commit. The history is unchanged, and an undo can be undone. What later
commits have changed or built on stays, and is listed.

Examples:
  $ trellis undo --commit 01KBQ5V1Q3Y2D9A0ZB9N4R7C8E --dry-run
  $ trellis undo --last
  $ trellis undo --actor bot-7 --since 2h
`;

export function define(command: Command): void {
  command
    .option('--commit <id>', 'the commit to undo')
    .option('--last', 'undo the newest commit of the branch')
    .option('--actor <name>', 'undo the commits of this actor; needs --since')
    .option('--since <when>', 'since a date, or how long ago: 12h, 30d', parseTime)
    .option('--branch <name>', 'the branch to change', mainBranch)
    .option('--dry-run', 'show what would be undone and what would stay; change nothing');
  authorOptions(commonOptions(command)).addHelpText('after', help).action(run);
}

async function run(options: UndoOptions): Promise<void> {
  const { branch, dryRun = false, json = false } = options;
  const report = await withGraph(options, async (store, graph, settings) =>
    undo(store, {
      ...{ graph, branch, dryRun, author: commandAuthor(options, undoTool) },
      commits: await commitsToUndo(store, { graph, branch }, selectionOf(options), embedAuthor.tool),
      checkSchema: await storedQueryCheck(store, graph, settings),
    }),
  );
  const described = { ...report, undone: await Promise.all(report.undone.map(describeUndone)) };
  if (json) print(reportObject(described, dryRun));
  else for (const line of reportLines(described, dryRun)) print(line);
}

/** An undo that restores a schema is refused if stored queries do not fit it, as applying it would be. */
async function storedQueryCheck(
  store: Store,
  graph: string,
  settings: Settings,
): Promise<UndoRequest['checkSchema']> {
  if (settingsOfGraph(settings, graph).queries.length === 0) return undefined;
  const queries = await validStoredQueries(store, graph, settings);
  return async (source) => {
    const { refuseBrokenQueries } = await import('../schema/apply/broken-queries.js');
    const { cachedGraphSchema } = await import('../schema/enforce/graph-schema-cache.js');
    refuseBrokenQueries(queries.findBroken(source === null ? null : cachedGraphSchema(source)));
  };
}

function selectionOf({ commit, actor, since, last }: UndoOptions): UndoSelection {
  const given = [commit, actor ?? since, last].filter((option) => option !== undefined);
  if (given.length === 1) {
    if (commit !== undefined) return { commits: [commit] };
    if (last !== undefined) return { last };
    if (actor !== undefined && since !== undefined) return { actor, since };
  }
  throw new TrellisError('USAGE', 'Name what to undo: --commit, --last, or --actor together with --since.', {
    hint: 'Find commits with: trellis log',
  });
}

interface DescribedUndo extends Pick<UndoneCommit, 'commit' | 'left'> {
  readonly changes: DescribedDiffWithSchema;
  readonly hasChanges: boolean;
}

interface DescribedReport extends Pick<UndoReport, 'commit'> {
  readonly undone: readonly DescribedUndo[];
}

async function describeUndone({ commit, changes, left }: UndoneCommit): Promise<DescribedUndo> {
  return { commit, left, changes: await describeDiffWithSchema(changes), hasChanges: !isEmptyDiff(changes) };
}

function reportObject({ commit, undone }: DescribedReport, dryRun: boolean): object {
  return {
    dry_run: dryRun,
    commit_id: commit?.id ?? null,
    undone: undone.map(({ commit: { id }, changes, left }) => ({ commit_id: id, changes, left })),
  };
}

function reportLines({ commit, undone }: DescribedReport, dryRun: boolean): string[] {
  if (undone.length === 0) return ['Nothing to undo.'];
  const lines = undone.flatMap(({ commit: taken, changes, hasChanges, left }) => [
    formatCommitLine(taken),
    ...(!hasChanges && left.length === 0 ? ['  nothing left to undo'] : []),
    ...formatDiff(changes).map((line) => `  ${line}`),
    ...(left.length === 0 ? [] : ['  stays, because it has changed since:']),
    ...left.flatMap((conflict) => formatConflict(conflict, 'now', 'before').map((line) => `    ${line}`)),
  ]);
  const changed = undone.filter(({ hasChanges }) => hasChanges).length;
  const summary = dryRun
    ? `Would undo ${pluralize(changed, 'commit')}.`
    : commit === null
      ? 'Nothing was changed.'
      : `Undid ${pluralize(changed, 'commit')}. Commit ${commit.id}`;
  return [...lines, summary];
}
