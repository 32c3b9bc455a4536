import type { Command } from 'commander';
import { defineAdd } from './schema/add.js';
import { defineApply, definePlan } from './schema/apply.js';
import { defineCheck } from './schema/check.js';
import { defineList } from './schema/list.js';
import { defineRemove } from './schema/remove.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
A schema file, NAME.schema.json, describes a type of node; the mesh surface makes three tools of each.
The write gate keeps its schema in the graph: add, list and remove are about that one.
A schema in the .pg language says what a graph may hold, whoever writes to it: plan and apply are about that one.

Examples:
  $ trellis init --schemas work
  $ trellis schema check schemas
  $ trellis schema add Person --required name --absorbs person,User
  $ trellis schema list
  $ trellis schema plan work.pg
  $ trellis schema apply work.pg
`,
  );
  defineCheck(command);
  defineAdd(command);
  defineList(command);
  defineRemove(command);
  definePlan(command);
  defineApply(command);
}
