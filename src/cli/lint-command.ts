import type { Command } from 'commander';
import { resolvePath } from '../config/paths.js';
import { formatSourceProblem } from '../language/source-problem.js';
import { jsonOption } from './command-options.js';
import { type LintReport, lintFiles } from './lint/lint-files.js';
import { findSources } from './lint/source-files.js';
import { pluralize } from './pluralize.js';
import { print } from './print.js';

interface LintOptions {
  readonly schema?: string;
  readonly json?: boolean;
}

export function define(command: Command): void {
  jsonOption(
    command
      .argument('<paths...>', 'folders, or single .pg and .gq files')
      .option('--schema <file>', 'the .pg file that queries are checked against'),
  )
    .addHelpText(
      'after',
      `
Checks every .pg and .gq file, without a store. A query is checked against the .pg file of its folder, or of the nearest
folder above it that has one, up to the working directory; --schema names another. Without any it is checked as on a
graph without a schema. Exits with 1 if there is an error; warnings are of what is allowed and hardly meant.

Examples:
  $ trellis lint .
  $ trellis lint queries --schema work.pg --json
`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: LintOptions): Promise<void> {
  const files = await findSources(paths);
  const schema = options.schema === undefined ? undefined : resolvePath(options.schema);
  const linted = await lintFiles(files, schema);
  const count = (severity: 'error' | 'warning') =>
    linted.problems.filter((problem) => problem.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (options.json === true)
    print({ ok: errors === 0, files: files.length, errors, warnings, problems: linted.problems });
  else print([...linted.problems.map(lineOf), conclusion(files.length, errors, warnings)].join('\n'));
  if (errors > 0) process.exitCode = 1;
}

function lineOf({ severity, file, ...problem }: LintReport['problems'][number]): string {
  const line = formatSourceProblem({ file }, problem);
  return severity === 'warning' ? line.replace(/: /, ': warning: ') : line;
}

function conclusion(files: number, errors: number, warnings: number): string {
  return `${pluralize(files, 'file')}: ${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`;
}
