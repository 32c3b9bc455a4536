import type { Command } from 'commander';
import { defineGateSchemaAdd } from './gate/gate-schema-add-command.js';
import { defineGateSchemaList } from './gate/gate-schema-list-command.js';
import { defineGateSchemaRemove } from './gate/gate-schema-remove-command.js';
import { defineMeshSchemaCheck } from './schema/mesh-schema-check-command.js';
import { defineSchemaApply, defineSchemaPlan } from './schema/schema-apply-command.js';

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
  defineMeshSchemaCheck(command);
  defineGateSchemaAdd(command);
  defineGateSchemaList(command);
  defineGateSchemaRemove(command);
  defineSchemaPlan(command);
  defineSchemaApply(command);
}
