import type { Command } from 'commander';
import { diffToJson } from '../engine/history/diff-json.js';
import { findCommits } from '../engine/history/find-commits.js';
import { describeVersions, findNodeWithHistory } from '../engine/history/node-history.js';
import { TrellisError } from '../model/error.js';
import { mainBranch } from '../model/graph-record.js';
import type { NodeId } from '../model/node.js';
import { hiddenRegistry } from '../store/graph-targets.js';
import type { Store } from '../store/store-contract.js';
import { type CommonOptions, dataOptions } from './command-options.js';
import { drawCommitGraph } from './history/draw-commit-graph.js';
import { commitAsJson, formatCommitLine, noteNoCommits } from './history/format-commit.js';
import { formatDiff } from './history/format-diff.js';
import { parsePositiveInteger, parseTime } from './history/parse-time.js';
import { print } from './print.js';
import { withStoreOrServer } from './remote/graph-tools.js';
import { findRemoteCommits, findRemoteVersions, type RemoteVersion } from './remote/remote-history.js';

interface LogOptions extends CommonOptions {
  readonly branch: string;
  readonly drawing?: boolean;
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
  readonly node?: string;
  readonly type?: string;
}

const help = `
Newest first, including what was merged into the branch. Each line has the commit, its time, branch,
actor and tool, and how much it added (+), changed (~) and removed (-).

Examples:
  $ trellis log --limit 5
  $ trellis log --branch review --drawing
  $ trellis log --node Ada
  $ trellis log --actor bot-7 --since 24h --json
`;

export function define(command: Command): void {
  command
    .option('--branch <name>', 'the branch to show', mainBranch)
    .option('--actor <name>', 'only commits of this actor')
    .option('--since <when>', 'only commits since a date, or how long ago: 12h, 30d', parseTime)
    .option('--node <name>', 'only commits that changed this node, with what they changed of it')
    .option('--type <type>', 'the type of that node, if several have its name')
    .option('--limit <number>', 'at most this many commits', parsePositiveInteger, 50)
    .option('--drawing', 'draw the branches');
  dataOptions(command).addHelpText('after', help).action(run);
}

async function run(options: LogOptions): Promise<void> {
  const { branch, actor, since, limit, node: name, type } = options;
  const isFiltered = (actor ?? since ?? name) !== undefined;
  if (options.drawing && (isFiltered || options.json))
    throw new TrellisError('USAGE', '--drawing cannot be combined with --actor, --since, --node or --json.', {
      hint: 'Omit one of them.',
    });
  const shown = await withStoreOrServer(options, {
    store: (store, graph) => findVersions(store, graph, options),
    server: (tools) =>
      name === undefined
        ? findRemoteCommits(tools, { branch, actor, since, limit })
        : findRemoteVersions(tools, { name, type, branch, actor, since, limit }),
  });
  if (options.json)
    print({ commits: shown.map(({ commit, ...rest }) => ({ ...commitAsJson(commit), ...rest })) });
  else if (shown.length === 0) noteNoCommits(isFiltered);
  else if (options.drawing) {
    for (const { lanes, commit } of drawCommitGraph(shown.map(({ commit }) => commit)))
      print(commit === undefined ? lanes : `${lanes}  ${formatCommitLine(commit)}`);
  } else {
    for (const { commit, changes } of shown) {
      print(formatCommitLine(commit));
      for (const line of changes === undefined ? [] : formatDiff(changes)) print(`  ${line}`);
    }
  }
}

async function findVersions(
  store: Store,
  graph: string,
  { branch, actor, since, limit, node: name, type }: LogOptions,
): Promise<RemoteVersion[]> {
  const find = (node?: NodeId) => findCommits(store, { graph, branch, actor, since, limit, node });
  if (name === undefined) return (await find()).map((commit) => ({ commit }));
  const target = { graph, branch, registry: hiddenRegistry };
  const node = await store.read(target, (reader) => findNodeWithHistory(reader, { name, type }));
  const commits = await find(node);
  const versions = await store.read(target, (reader) => describeVersions(reader, node, commits));
  return Promise.all(
    versions.map(async ({ commit, changes }) => ({
      commit,
      ...(changes == null ? {} : { changes: await diffToJson(changes) }),
    })),
  );
}
