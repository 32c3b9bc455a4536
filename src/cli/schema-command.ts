import type { Command } from 'commander';
import { defineGateSchemaAdd } from './gate/gate-schema-add-command.js';
import { defineGateSchemaRemove } from './gate/gate-schema-command.js';
import { defineGateSchemaList } from './gate/gate-schema-list-command.js';
import { note } from './print.js';
import { defineMeshSchemaCheck } from './schema/mesh-schema-check-command.js';
import { defineSchemaApply, defineSchemaPlan } from './schema/schema-apply-command.js';
import { defineSchemaShow } from './schema/schema-show-command.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
A graph schema, in the .pg language, says what a graph may hold. It validates every write, whichever
surface it comes from. For what the write gate accepts, see trellis gate schema; trellis lint checks
schema files without a store.

Examples:
  $ trellis schema plan work.pg
  $ trellis schema apply work.pg
  $ trellis schema show
`,
  );
  defineSchemaShow(command);
  defineSchemaPlan(command);
  defineSchemaApply(command);
  for (const defineOld of [defineGateSchemaAdd, defineGateSchemaList, defineGateSchemaRemove]) {
    const old = defineOld(command, { hidden: true });
    noteNewName(old, `gate schema ${old.name()}`);
  }
  noteNewName(defineMeshSchemaCheck(command, { hidden: true }), 'lint');
}

function noteNewName(old: Command, name: string): void {
  old.hook('preAction', () => note(`trellis schema ${old.name()} is now trellis ${name}`));
}
