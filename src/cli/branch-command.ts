import type { Command } from 'commander';
import { defineBranchCreate } from './branch/branch-create-command.js';
import { defineBranchDelete } from './branch/branch-delete-command.js';
import { defineBranchList } from './branch/branch-list-command.js';
import { defineBranchMerge } from './branch/branch-merge-command.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
A branch starts as a copy of another; its changes are visible only there until it is merged.
Creating one copies no data. JSON lines files have no branches.

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
