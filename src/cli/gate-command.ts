import type { Command } from 'commander';
import { defineGateConstraints } from './gate/gate-constraints-command.js';
import { defineGateDrift } from './gate/gate-drift-command.js';
import { defineGateRejections } from './gate/gate-rejections-command.js';
import { defineGateSchema } from './gate/gate-schema-command.js';

const help = `
The gate is a set of tools: trellis stdio --surface gate. It accepts only what its registry allows.
Rejected writes are kept, so that you can see which true facts the registry is too narrow for.

Examples:
  $ trellis gate schema add Person --required name --absorbs person,User
  $ trellis gate rejections --since 7d --code SCHEMA_UNKNOWN_LABEL
  $ trellis gate drift
  $ trellis gate constraints --apply --target bolt://localhost:7687
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  defineGateSchema(command);
  defineGateRejections(command);
  defineGateDrift(command);
  defineGateConstraints(command);
}
