import type { Command } from 'commander';
import { authorOptions, branchOption, dataOptions } from './command-options.js';
import { parsePositiveInteger } from './history/parse-time.js';
import { printable } from './history/printable.js';
import { type NodeOptions, nodeArgument, saveEdit } from './people/edit-node.js';

interface RemoveOptions extends NodeOptions {
  readonly observation?: readonly number[];
}

const help = `
Deletes a node with its observations and relations, or only some of its observations. The history
keeps what was deleted, and trellis undo brings it back.

Examples:
  $ trellis rm Ada --observation 3
  $ trellis rm Ada --message 'left the company'
`;

export function define(command: Command): void {
  nodeArgument(command).option(
    '--observation <number>',
    'delete this observation instead of the node; repeatable',
    (text, before: readonly number[] = []) => [...before, parsePositiveInteger(text)],
  );
  authorOptions(dataOptions(branchOption(command)))
    .addHelpText('after', help)
    .action(run);
}

async function run(name: string, options: RemoveOptions): Promise<void> {
  const { type, observation: ordinals } = options;
  const operation =
    ordinals === undefined
      ? { op: 'delete_node', name, type }
      : { op: 'delete_observations', name, type, ordinals };
  const what = ordinals === undefined ? printable(name) : `from ${printable(name)}`;
  await saveEdit(options, `Deleted ${what}.`, async () => [operation]);
}
