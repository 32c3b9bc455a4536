import type { Command } from 'commander';
import type { Flags } from '../config/setting-layers.js';

export function locationOptions(command: Command): Command {
  return configOption(
    command
      .option('--file <path>', 'a JSON lines file, or an SQLite database if it ends in .db')
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

/** These apply to every graph. */
export function surfaceOptions(command: Command): Command {
  return command
    .option('--schemas <folder>', 'the folder of mesh schemas (.schema.json)')
    .option('--gate-schema <file>', 'the file with the gate registry');
}

export function branchOption(command: Command): Command {
  return command.option('--branch <name>', 'the branch to use (default: main)');
}

export function jsonOption(command: Command): Command {
  return command.option('--json', 'print JSON for programs instead of text for people');
}

export function commonOptions(command: Command): Command {
  return jsonOption(graphOption(locationOptions(command)));
}

export interface CommonOptions extends Flags {
  readonly branch?: string;
  readonly json?: boolean;
}
