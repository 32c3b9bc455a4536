import type { Command } from 'commander';
import { mainBranch } from '../../model/graph-record.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../command-options.js';
import { printable } from '../history/printable.js';
import { withGraph } from '../history/with-graph.js';
import { print } from '../print.js';

interface CreateOptions extends CommonOptions {
  readonly from: string;
}

export function defineBranchCreate(command: Command): void {
  command
    .description('Fork a branch from the head of another.')
    .argument('<name>', 'the new branch')
    .option('--from <branch>', 'the branch to fork from', mainBranch);
  jsonOption(graphOption(locationOptions(command))).action(run);
}

async function run(name: string, options: CreateOptions): Promise<void> {
  const { headCommit } = await withGraph(options, (store, graph) =>
    store.createBranch(graph, name, options.from),
  );
  if (options.json) print({ name, from: options.from, head: headCommit });
  else print(`Created the branch ${printable(name)} from ${printable(options.from)}`);
}
