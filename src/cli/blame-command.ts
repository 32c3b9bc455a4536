import type { Command } from 'commander';
import { requireNodeOfType } from '../engine/require-nodes.js';
import { hiddenRegistry } from '../store/graph-targets.js';
import { branchOption, type CommonOptions, dataOptions } from './command-options.js';
import { print } from './print.js';
import { withStoreOrServer } from './remote/graph-tools.js';

interface BlameOptions extends CommonOptions {
  readonly type?: string;
}

const help = `
One line for each observation, property and edge, and for the type, summary and tags: what it says,
who put it there and when, with which tool, in which commit, and where the fact came from. A value
that a merge brought is blamed on the commit of the merged branch.

Examples:
  $ trellis blame Ada
  $ trellis blame Ada --type person --branch review --json
`;

export function define(command: Command): void {
  command
    .argument('<name>', 'the name of the node')
    .option('--type <type>', 'its type, if several nodes have the name');
  dataOptions(branchOption(command)).addHelpText('after', help).action(run);
}

async function run(name: string, options: BlameOptions): Promise<void> {
  const { describeNode, peopleNodeOutput } = await import('../surfaces/graph/people/people-node.js');
  const { branch, type } = options;
  const page = await withStoreOrServer(options, {
    store: (store, graph) =>
      store.read({ graph, branch, registry: hiddenRegistry }, async (reader) =>
        describeNode(reader, await requireNodeOfType(reader, { name, type }), { blame: true }),
      ),
    server: (tools) => tools.call('people_node', { name, type, branch, blame: true }, peopleNodeOutput),
  });
  if (options.json) return print(page);
  const { formatBlame } = await import('./history/format-blame.js');
  for (const line of formatBlame(page)) print(line);
}
