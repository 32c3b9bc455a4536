import type { Command } from 'commander';
import type { Flags } from '../config/setting-layers.js';

/** Adds the flags that say where the data and the configuration are. */
export function locationOptions(command: Command): Command {
  return configOption(
    command
      .option('--file <path>', 'a JSON lines file (or, if it ends in .db, an SQLite database)')
      .option('--store <path>', 'a store: a path ending in .db, .jsonl or .json, or a postgres:// URL'),
  );
}

export function configOption(command: Command): Command {
  return command.option(
    '--config <file>',
    'the configuration file (default: trellis.yaml in the working directory)',
  );
}

export function graphOption(command: Command): Command {
  return command.option('--graph <name>', 'the graph to use (default: default)');
}

/** Adds the flags that say what surfaces are made from; they hold for every graph. */
export function surfaceOptions(command: Command): Command {
  return command
    .option('--schemas <folder>', 'the folder of .schema.json files that the mesh surface makes tools of')
    .option('--gate-schema <file>', 'the file that says what the gate surface lets in');
}

export function branchOption(command: Command): Command {
  return command.option('--branch <name>', 'the branch to use (default: main)');
}

export function jsonOption(command: Command): Command {
  return command.option('--json', 'print JSON for programs instead of text for people');
}

/** What the parser leaves for the flags above. */
export interface CommonOptions extends Flags {
  readonly branch?: string;
  readonly json?: boolean;
}
