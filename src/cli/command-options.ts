import type { Command } from 'commander';
import { localActor } from '../access/actor.js';
import type { Flags } from '../config/setting-layers.js';
import { type Author, checkCommitMessage } from '../model/commit.js';
import { accessLimits } from '../model/limits.js';
import { checkFact } from '../model/text.js';

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
    .option('--gate-schema <file>', 'the file with the gate registry')
    .option('--target <url>', 'the graph database that the gate writes to: bolt://, neo4j:// or falkor://');
}

export function searchFallbackOption(command: Command): Command {
  return command.option(
    '--search-fallback <how>',
    'what search_nodes of memory and mesh does if nothing contains the words as they are: ranked, none (default: ranked)',
  );
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

export function authorOptions(command: Command): Command {
  return command
    .option('--as <actor>', 'who makes the commit (default: you)')
    .option('--message <text>', 'why, kept with the commit');
}

export function ifCommitOption(command: Command): Command {
  return command.option('--if-commit <id>', 'write only if this commit is the head of the branch');
}

/** For commands that also work on a server. */
export function urlOptions(command: Command): Command {
  return command
    .option('--url <address>', 'work on a server: its URL, or its name under servers:')
    .option('--insecure', 'send the token over plain HTTP, where others may read it');
}

export function dataOptions(command: Command): Command {
  return urlOptions(commonOptions(command));
}

export interface CommonOptions extends Flags {
  readonly branch?: string;
  readonly json?: boolean;
  readonly as?: string;
  readonly message?: string;
  readonly ifCommit?: string;
  readonly url?: string;
  readonly insecure?: boolean;
}

/** The author of the commits that a command makes. */
export function commandAuthor({ as, message }: Pick<CommonOptions, 'as' | 'message'>, tool: string): Author {
  return {
    actor: as === undefined ? localActor().id : checkFact(as, 'The actor', accessLimits.identityLength),
    tool,
    ...(message === undefined ? {} : { message: checkCommitMessage(message) }),
  };
}
