import type { Command } from 'commander';
import { defineGateDrift } from './gate/gate-drift-command.js';
import { defineGateRejections } from './gate/gate-rejections-command.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
The gate is a set of tools: trellis stdio --surface gate. What it turned away is kept, since a schema that is one
label too narrow silently loses true facts otherwise.

Examples:
  $ trellis gate rejections --since 7d --code SCHEMA_UNKNOWN_LABEL
  $ trellis gate drift
`,
  );
  defineGateRejections(command);
  defineGateDrift(command);
}
