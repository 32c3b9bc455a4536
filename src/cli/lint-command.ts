import type { Command } from 'commander';
import { resolvePath } from '../config/paths.js';
import { formatSourceProblem } from '../language/source-problem.js';
import { jsonOption } from './command-options.js';
import { type FileProblem, lintFiles } from './lint/lint-files.js';
import { formatMeshSchema, lintMeshFiles, type MeshFileProblem } from './lint/lint-mesh-schemas.js';
import { findSources } from './lint/source-files.js';
import { pluralize, print } from './print.js';

interface LintOptions {
  readonly schema?: string;
  readonly json?: boolean;
}

const help = `
Checks graph schemas (.pg), queries (.gq) and mesh schemas (.schema.json) without a store. Exits
with 1 if there is an error; warnings point out what is allowed but probably not intended.

A query is checked against the .pg file in its folder or the nearest parent folder that has one, up
to the working directory; --schema names another. Without any, it is checked as on a graph without
a schema. For each mesh schema, its tools are listed, with about how many tokens they take up in an
agent's context. With --json, each query is described: its parameters and columns, and the types it
reads and writes.

Examples:
  $ trellis lint .
  $ trellis lint schemas
  $ trellis lint queries --schema work.pg --json
`;

export function define(command: Command): void {
  jsonOption(
    command
      .argument('<paths...>', 'folders, or single .pg, .gq and .schema.json files')
      .option('--schema <file>', 'the .pg file that queries are checked against'),
  )
    .addHelpText('after', help)
    .action(run);
}

async function run(paths: readonly string[], options: LintOptions): Promise<void> {
  const files = await findSources(paths);
  const isMesh = (file: string) => file.endsWith('.schema.json');
  const schema = options.schema === undefined ? undefined : resolvePath(options.schema);
  const sources = files.filter((file) => !isMesh(file));
  const mesh = await lintMeshFiles(files.filter(isMesh));
  const { queries, problems: sourceProblems } = await lintFiles(sources, schema);
  const problems = [...sourceProblems, ...mesh.problems];
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const { schemas } = mesh;
  if (options.json === true)
    print({ ok: errors === 0, files: files.length, errors, warnings, problems, queries, schemas });
  else
    print(
      [
        ...schemas.map(formatMeshSchema),
        ...problems.map(lineOf),
        `${pluralize(files.length, 'file')}: ${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`,
      ].join('\n'),
    );
  if (errors > 0) process.exitCode = 1;
}

function lineOf(problem: FileProblem | MeshFileProblem): string {
  const { file, severity, message } = problem;
  const line = 'line' in problem ? formatSourceProblem({ file }, problem) : `${file}: ${message}`;
  return severity === 'warning' ? line.replace(/: /, ': warning: ') : line;
}
