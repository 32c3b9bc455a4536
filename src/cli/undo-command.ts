import type { Command } from 'commander';
import { z } from 'zod';
import { type Settings, settingsOfGraph } from '../config/settings.js';
import {
  commitsToUndo,
  type UndoRequest,
  type UndoSelection,
  undo,
  undoTool,
} from '../engine/history/undo.js';
import { asTrellisError, TrellisError } from '../model/error.js';
import { mainBranch } from '../model/graph-record.js';
import { describeDiffWithSchema } from '../schema/apply/describe-diff-with-schema.js';
import { embedAuthor } from '../search/embedding/properties/fill-vectors.js';
import type { Store } from '../store/store-contract.js';
import { changesOutput } from '../surfaces/graph/graph-changes-shapes.js';
import { authorOptions, type CommonOptions, commandAuthor, dataOptions } from './command-options.js';
import { formatCommitLine } from './history/format-commit.js';
import { conflictOutput, formatConflict, type ShownConflict } from './history/format-conflict.js';
import { type Changes, formatDiff, isUnchanged } from './history/format-diff.js';
import { parseTime } from './history/parse-time.js';
import { pluralize, print } from './print.js';
import { validStoredQueries } from './query/valid-stored-queries.js';
import { type GraphTools, withStoreOrServer } from './remote/graph-tools.js';
import { showRemoteCommit } from './remote/remote-history.js';

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
commits have changed or built on stays, and is listed. --dry-run also lists what would change.

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
  authorOptions(dataOptions(command)).addHelpText('after', help).action(run);
}

async function run(options: UndoOptions): Promise<void> {
  const { dryRun = false } = options;
  const select = selectionOf(options);
  const report = await withStoreOrServer(options, {
    store: (store, graph, settings) => undoInStore(store, graph, settings, select, options),
    server: (tools) => undoOnServer(tools, select, options),
  });
  if (options.json === true) print(reportObject(report, dryRun));
  else for (const line of reportLines(report, dryRun)) print(line);
}

async function undoInStore(
  store: Store,
  graph: string,
  settings: Settings,
  select: UndoSelection,
  options: UndoOptions,
): Promise<DescribedReport> {
  const { branch, dryRun } = options;
  const commits = await commitsToUndo(store, { graph, branch }, select, embedAuthor.tool);
  const { commit, undone } = await undo(store, {
    ...{ graph, branch, dryRun, author: commandAuthor(options, undoTool), commits },
    checkSchema: await storedQueryCheck(store, graph, settings),
  }).catch(async (error: unknown) => {
    if (!('since' in select) || asTrellisError(error).code !== 'COMMIT_COLLECTED') throw error;
    throw await collectedSinceError(store, graph, commits);
  });
  return {
    id: commit?.id ?? null,
    undone: await Promise.all(
      undone.map(async (one) => ({
        ...{ id: one.commit.id, line: formatCommitLine(one.commit), left: one.left },
        changes: await describeDiffWithSchema(one.changes),
      })),
    ),
  };
}

/** Undoing a commit takes the state after it and the one before. */
async function collectedSinceError(
  store: Store,
  graph: string,
  newestFirst: readonly string[],
): Promise<TrellisError> {
  let undoable = 0;
  let last: string | undefined;
  for (const id of newestFirst) {
    const { collected, parent, time } = await store.commit(graph, id);
    if (collected || (parent !== null && (await store.commit(graph, parent)).collected)) {
      last = new Date(time + 1).toISOString();
      break;
    }
    undoable += 1;
  }
  const some = undoable === 0 ? 'None of' : `Only the newest ${undoable} of`;
  return new TrellisError(
    'COMMIT_COLLECTED',
    `${some} these ${newestFirst.length} commits can be undone: trellis gc has dropped what the others changed.`,
    {
      hint:
        undoable === 0 || last === undefined
          ? 'A backup from before may still have it.'
          : `Choose a later time: --since ${last}`,
    },
  );
}

async function undoOnServer(
  tools: GraphTools,
  select: UndoSelection,
  { branch, dryRun, message, json = false }: UndoOptions,
): Promise<DescribedReport> {
  const { since, commits, ...selection } = { since: undefined, commits: undefined, ...select };
  const from = since === undefined ? {} : { since: new Date(since).toISOString() };
  const args = { ...selection, ...from, commit_ids: commits, branch, dry_run: dryRun, message };
  const { commit_id, undone, more: moreCommits } = await tools.call('undo', args, undoAnswer);
  const described: DescribedUndo[] = [];
  for (const { commit_id: id, ...changed } of undone)
    described.push({ id, ...changed, line: json ? id : await remoteCommitLine(tools, id) });
  return { id: commit_id, undone: described, more: moreCommits };
}

const undoAnswer = z.object({
  commit_id: z.string().nullable(),
  undone: z.array(
    z.object({
      commit_id: z.string(),
      changes: changesOutput,
      left: z.array(conflictOutput),
      more: z.int().optional(),
    }),
  ),
  more: z.int().optional(),
});

/** The id alone for a commit that is too large to be shown. */
async function remoteCommitLine(tools: GraphTools, id: string): Promise<string> {
  try {
    return formatCommitLine((await showRemoteCommit(tools, id)).commit);
  } catch (error) {
    if (asTrellisError(error).code === 'LIMIT_EXCEEDED') return id;
    throw error;
  }
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

interface DescribedUndo {
  readonly id: string;
  readonly line: string;
  readonly changes: Changes;
  readonly left: readonly ShownConflict[];
  /** What a server did not list. */
  readonly more?: number | undefined;
}

interface DescribedReport {
  /** Null if nothing was changed. */
  readonly id: string | null;
  readonly undone: readonly DescribedUndo[];
  /** Commits that a server did not list. */
  readonly more?: number | undefined;
}

function reportObject({ id, undone, more }: DescribedReport, dryRun: boolean): object {
  return {
    dry_run: dryRun,
    commit_id: id,
    undone: undone.map(({ id: commit_id, changes, left, more }) => ({ commit_id, changes, left, more })),
    more,
  };
}

/** Only a dry run lists the changes: there may be very many, and `trellis show` lists those of the commit that was made. */
function reportLines({ id, undone, more: moreCommits = 0 }: DescribedReport, dryRun: boolean): string[] {
  if (undone.length === 0) return ['Nothing to undo.'];
  const lines = undone.flatMap(({ line, changes, left, more = 0 }) => [
    line,
    ...(isUnchanged(changes) && left.length === 0 ? ['  nothing left to undo'] : []),
    ...(dryRun ? formatDiff(changes).map((one) => `  ${one}`) : []),
    ...(left.length === 0 ? [] : ['  stays, because it has changed since:']),
    ...left.flatMap((conflict) => formatConflict(conflict, 'now', 'before').map((one) => `    ${one}`)),
    ...(more === 0 || !dryRun ? [] : [`  and ${pluralize(more, 'more change')}`]),
  ]);
  const changed = undone.filter(({ changes }) => !isUnchanged(changes)).length + moreCommits;
  const summary = dryRun
    ? `Would undo ${pluralize(changed, 'commit')}.`
    : id === null
      ? 'Nothing was changed.'
      : `Undid ${pluralize(changed, 'commit')}. Commit ${id}`;
  return [...lines, summary];
}
