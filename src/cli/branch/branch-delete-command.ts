import type { Command } from 'commander';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../command-options.js';
import { printable } from '../history/printable.js';
import { withGraph } from '../history/with-graph.js';
import { print } from '../print.js';

export function defineBranchDelete(command: Command): void {
  command
    .description('Delete a branch. Its commits can be read until trellis gc collects them.')
    .argument('<name>', 'the branch');
  jsonOption(graphOption(locationOptions(command))).action(run);
}

async function run(name: string, options: CommonOptions): Promise<void> {
  const { headCommit } = await withGraph(options, (store, graph) => store.deleteBranch(graph, name));
  if (options.json) print({ name, head: headCommit });
  else
    print(
      `Deleted the branch ${printable(name)}${headCommit === null ? '' : `; its last commit was ${headCommit}`}`,
    );
}
