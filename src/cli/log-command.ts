import type { Command } from 'commander';
import type { Commit } from '../model/commit.js';
import { TrellisError } from '../model/error.js';
import { mainBranch } from '../model/graph-record.js';
import type { Store } from '../store/store-contract.js';
import { type CommonOptions, commonOptions } from './command-options.js';
import { drawCommitGraph } from './history/draw-commit-graph.js';
import { commitAsJson, formatCommitLine } from './history/format-commit.js';
import { parsePositiveInteger, parseTime } from './history/parse-time.js';
import { withGraph } from './history/with-graph.js';
import { print } from './print.js';

interface LogOptions extends CommonOptions {
  readonly branch: string;
  readonly drawing?: boolean;
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
}

const pageSize = 500;

const help = `
Newest first, including what was merged into the branch. Each line has the commit, its time, branch,
actor and tool, and how much it added (+), changed (~) and removed (-).

Examples:
  $ trellis log --limit 5
  $ trellis log --branch review --drawing
  $ trellis log --actor bot-7 --since 24h --json
`;

export function define(command: Command): void {
  command
    .option('--branch <name>', 'the branch to show', mainBranch)
    .option('--actor <name>', 'only commits of this actor')
    .option('--since <when>', 'only commits since a date, or how long ago: 12h, 30d', parseTime)
    .option('--limit <number>', 'at most this many commits', parsePositiveInteger, 50)
    .option('--drawing', 'draw the branches');
  commonOptions(command).addHelpText('after', help).action(run);
}

async function run(options: LogOptions): Promise<void> {
  if (options.drawing && (options.actor !== undefined || options.since !== undefined || options.json))
    throw new TrellisError('USAGE', '--drawing cannot be combined with --actor, --since or --json.', {
      hint: 'Omit one of them.',
    });
  const commits = await withGraph(options, (store, graph) => find(store, graph, options));
  if (options.json) print({ commits: commits.map(commitAsJson) });
  else if (options.drawing) {
    for (const { lanes, commit } of drawCommitGraph(commits))
      print(commit === undefined ? lanes : `${lanes}  ${formatCommitLine(commit)}`);
  } else for (const commit of commits) print(formatCommitLine(commit));
}

async function find(
  store: Store,
  graph: string,
  { branch, actor, since = 0, limit }: LogOptions,
): Promise<Commit[]> {
  const found: Commit[] = [];
  for (let before: number | undefined; found.length < limit; ) {
    const page = await store.commits({ graph, branch }, { before, limit: pageSize });
    found.push(
      ...page.filter((commit) => commit.time >= since && (actor === undefined || commit.actor === actor)),
    );
    if (page.length < pageSize || page.every((commit) => commit.time < since)) break;
    before = page.at(-1)?.seq;
  }
  return found.slice(0, limit);
}
