import type { Command } from 'commander';
import { defineCheck } from './schema/check.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
A schema file, NAME.schema.json, describes a type of node; the mesh surface makes three tools of each.

Examples:
  $ trellis init --schemas work
  $ trellis schema check schemas
`,
  );
  defineCheck(command);
}
