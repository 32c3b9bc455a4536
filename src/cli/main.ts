#!/usr/bin/env node
import { type Command, CommanderError } from 'commander';
import { TrellisError } from '../model/error.js';
import { buildProgram } from './program.js';
import { reportFailure, reportUsage } from './report-failure.js';

const words = process.argv.slice(2);
const json = words.includes('--json');

// A reader that has seen enough, such as `head`, is no failure. A session over stdio sees to its own end.
if (words[0] !== 'stdio') {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : reportFailure(cannotPrint(error), json));
  });
}

try {
  const program = await buildProgram(words);
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap((child) => child.commands),
  ]) {
    command.configureOutput({ outputError: (text) => reportUsage(text, json) });
  }
  await program.parseAsync(withoutHelpCommand(program, words), { from: 'user' });
} catch (thrown) {
  if (!(thrown instanceof CommanderError)) process.exitCode = reportFailure(thrown, json);
  // Commander also throws to leave after --help and --version.
  else if (thrown.exitCode !== 0) process.exitCode = 2;
}

/** `help graph create` is `graph create --help`: the help command of Commander knows only one word. */
function withoutHelpCommand(program: Command, given: readonly string[]): readonly string[] {
  const [first, name, ...rest] = given;
  if (first !== 'help' || rest.length === 0) return given;
  const command = program.commands.find((candidate) => candidate.name() === name);
  const hasCommands = (command?.commands.length ?? 0) > 0;
  const isKnown = command?.commands.some((candidate) => candidate.name() === rest[0]) ?? false;
  // What is not there is named in the error, with what there is.
  return command === undefined || (hasCommands && !isKnown)
    ? given.slice(1)
    : [...given.slice(1, hasCommands ? 3 : 2), '--help'];
}

/** A full disk under a redirection, for example. */
function cannotPrint(error: Error): TrellisError {
  return new TrellisError('STORE_UNAVAILABLE', `Cannot write to standard output: ${error.message}`, {
    hint: 'What was printed is not complete. Check where it goes, and run the command again.',
    cause: error,
  });
}
