import type { Command } from 'commander';
import { z } from 'zod';
import { commitOutput } from '../surfaces/graph/graph-shapes.js';
import { branchOption, type CommonOptions, dataOptions } from './command-options.js';
import { formatCommitLine, noteNoCommits } from './history/format-commit.js';
import { signs } from './history/format-diff.js';
import { parsePositiveInteger, parseTime } from './history/parse-time.js';
import { printable } from './history/printable.js';
import { print } from './print.js';
import { commitFromOutput } from './remote/commit-from-output.js';
import { withGraphTools } from './remote/graph-tools.js';

interface RecentOptions extends CommonOptions {
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
}

const help = `
Lists what changed last, newest first: each commit with the nodes that it added (+), changed (~) or
removed (-). trellis show prints a commit in full.

Examples:
  $ trellis recent
  $ trellis recent --actor bot-7 --since 24h
`;

export function define(command: Command): void {
  command
    .option('--actor <name>', 'only commits of this actor')
    .option('--since <when>', 'only commits since a date, or how long ago: 12h, 30d', parseTime)
    .option('--limit <number>', 'at most this many commits', parsePositiveInteger, 10);
  dataOptions(branchOption(command)).addHelpText('after', help).action(run);
}

const answerShape = z.object({
  changes: z.array(
    z.object({
      commit: commitOutput,
      nodes: z.array(
        z.object({ name: z.string(), type: z.string(), change: z.enum(['added', 'changed', 'removed']) }),
      ),
      has_more_nodes: z.boolean(),
    }),
  ),
});

async function run(options: RecentOptions): Promise<void> {
  const { actor, limit, branch, since: from } = options;
  const since = from === undefined ? undefined : new Date(from).toISOString();
  const answer = await withGraphTools(options, (tools) =>
    tools.call('people_recent', { actor, since, limit, branch }, answerShape),
  );
  if (options.json === true) return print(answer);
  if (answer.changes.length === 0) noteNoCommits((actor ?? from) !== undefined);
  for (const { commit, nodes, has_more_nodes } of answer.changes) {
    print(formatCommitLine(commitFromOutput(commit)));
    for (const { name, type, change } of nodes)
      print(`    ${signs[change]} ${printable(type)} ${printable(name)}`);
    if (has_more_nodes) print('    …');
  }
}
