import type { Command } from 'commander';
import { defineCreate } from './branch/create.js';
import { defineDelete } from './branch/delete.js';
import { defineList } from './branch/list.js';
import { defineMerge } from './branch/merge.js';

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
  defineList(command.command('list'));
  defineCreate(command.command('create'));
  defineDelete(command.command('delete'));
  defineMerge(command.command('merge'));
}
