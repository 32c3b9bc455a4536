#!/usr/bin/env node
import { type Command, CommanderError } from 'commander';
import { TrellisError } from '../model/error.js';
import { localCommands } from './local-commands.js';
import { buildProgram } from './program.js';
import { reportFailure, reportUsage } from './report-failure.js';

const words = process.argv.slice(2);
const json = words.includes('--json');
let running = 'trellis';

// A reader that closes early, such as `head`, is not a failure. A stdio session handles its own end.
if (words[0] !== 'stdio')
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : reportFailure(cannotPrint(error), json));
  });

try {
  const program = await buildProgram(words);
  reportUsageOf(program);
  program.hook('preAction', (_, command) => {
    running = fullName(command);
  });
  await program.parseAsync(withoutHelpCommand(program, words), { from: 'user' });
} catch (thrown) {
  if (!(thrown instanceof CommanderError)) process.exitCode = reportFailure(thrown, json, running);
  // Commander also throws to leave after --help and --version.
  // A hook never fails the client that runs it, and some take 2 for a veto.
  else if (thrown.exitCode !== 0) process.exitCode = words[0] === 'hook' ? 0 : 2;
}

function fullName(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${fullName(parent)} ${command.name()}`;
}

function reportUsageOf(command: Command): void {
  command.configureOutput({ outputError: (text) => reportUsage(withoutUrlHint(text), json) });
  for (const child of command.commands) reportUsageOf(child);
}

function withoutUrlHint(text: string): string {
  const name = words[0] ?? '';
  const reason = localCommands.get(name);
  if (reason === undefined || !text.includes("unknown option '--url'")) return text;
  return `There is no --url for trellis ${name}.\nIt works on this machine only: ${reason}`;
}

/** Commander's help command accepts one word only. Unknown commands stay, so that they are errors. */
function withoutHelpCommand(program: Command, given: readonly string[]): readonly string[] {
  const isHelp = given[0] === 'help';
  if (!isHelp && !given.some((word) => word === '--help' || word === '-h')) return given;
  const path: string[] = [];
  let command = program;
  for (const word of isHelp ? given.slice(1) : given) {
    if (word.startsWith('-') || command.commands.length === 0) break;
    path.push(word);
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child === undefined) return path;
    command = child;
  }
  return [...path, '--help'];
}

function cannotPrint(error: Error): TrellisError {
  return new TrellisError('STORE_UNAVAILABLE', `Cannot write to standard output: ${error.message}`, {
    hint: 'The output is incomplete. Check where it goes, such as for a full disk, and run the command again.',
    cause: error,
  });
}
