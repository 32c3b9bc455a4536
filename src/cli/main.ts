#!/usr/bin/env node
import { CommanderError } from 'commander';
import { buildProgram } from './program.js';
import { reportFailure, reportUsage } from './report.js';

const words = process.argv.slice(2);
const json = words.includes('--json');

// A reader that has seen enough, such as `head`, is no failure. A session over stdio sees to its own end.
if (words[0] !== 'stdio') {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
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
  await program.parseAsync();
} catch (thrown) {
  if (!(thrown instanceof CommanderError)) process.exitCode = reportFailure(thrown, json);
  // Commander also throws to leave after --help and --version.
  else if (thrown.exitCode !== 0) process.exitCode = 2;
}
