import type { Command } from 'commander';
import { listBranches } from '../engine/history/branches.js';
import { mainBranch } from '../model/graph-record.js';
import { defineBranchMerge } from './branch/branch-merge-command.js';
import { type CommonOptions, commonOptions } from './command-options.js';
import { printable } from './history/printable.js';
import { withGraph } from './history/with-graph.js';
import { print } from './print.js';

interface CreateOptions extends CommonOptions {
  readonly from: string;
}

const help = `
A branch starts as a copy of another; its changes are visible only there until it is merged.
Creating one copies no data. JSON lines files have no branches.

Examples:
  $ trellis branch create review
  $ trellis stdio --branch review                  an agent that writes there
  $ trellis diff main review                       what it has changed
  $ trellis branch merge review --delete
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  commonOptions(command.command('list').description('List the branches of a graph.')).action(list);
  commonOptions(
    command
      .command('create')
      .description('Fork a branch from the head of another.')
      .argument('<name>', 'the new branch')
      .option('--from <branch>', 'the branch to fork from', mainBranch),
  ).action(create);
  commonOptions(
    command
      .command('delete')
      .description('Delete a branch. Its commits can be read until trellis gc collects them.')
      .argument('<name>', 'the branch'),
  ).action(remove);
  defineBranchMerge(command.command('merge'));
}

async function list(options: CommonOptions): Promise<void> {
  const branches = await withGraph(options, listBranches);
  if (options.json) {
    const rows = branches.map(({ createdAt, ...branch }) => ({
      ...branch,
      created_at: new Date(createdAt).toISOString(),
    }));
    print({ branches: rows });
    return;
  }
  for (const { name, parent, head } of branches) {
    const from = parent === null ? '' : `  (from ${printable(parent)})`;
    print(`${printable(name)}  ${head ?? 'no commits'}${from}`);
  }
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const { headCommit } = await withGraph(options, (store, graph) =>
    store.createBranch(graph, name, options.from),
  );
  if (options.json) print({ name, from: options.from, head: headCommit });
  else print(`Created the branch ${printable(name)} from ${printable(options.from)}`);
}

async function remove(name: string, options: CommonOptions): Promise<void> {
  const { headCommit } = await withGraph(options, (store, graph) => store.deleteBranch(graph, name));
  if (options.json) print({ name, head: headCommit });
  else
    print(
      `Deleted the branch ${printable(name)}${headCommit === null ? '' : `; its last commit was ${headCommit}`}`,
    );
}
