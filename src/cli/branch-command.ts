import type { Command } from 'commander';
import { defineBranchCreate } from './branch/branch-create-command.js';
import { defineBranchDelete } from './branch/branch-delete-command.js';
import { defineBranchList } from './branch/branch-list-command.js';
import { defineBranchMerge } from './branch/branch-merge-command.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
A branch is a graph of its own that starts as another one is: what is written to it is seen there alone, until it is
merged. Making one costs nothing. A file of JSON lines has no branches.

Examples:
  $ trellis branch create review
  $ trellis stdio --branch review                  an agent that writes there
  $ trellis diff main review                       what it has changed
  $ trellis branch merge review --delete
`,
  );
  defineBranchList(command.command('list'));
  defineBranchCreate(command.command('create'));
  defineBranchDelete(command.command('delete'));
  defineBranchMerge(command.command('merge'));
}
