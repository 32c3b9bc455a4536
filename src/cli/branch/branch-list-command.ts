import type { Command } from 'commander';
import { listBranches } from '../../engine/history/branches.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../command-options.js';
import { printable } from '../history/printable.js';
import { withGraph } from '../history/with-graph.js';
import { print } from '../print.js';

export function defineBranchList(command: Command): void {
  jsonOption(graphOption(locationOptions(command.description('List the branches of a graph.')))).action(run);
}

async function run(options: CommonOptions): Promise<void> {
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
