import type { Command, CommandOptions } from 'commander';
import { resolvePath } from '../../config/paths.js';
import { formatMeshSchemaProblem } from '../../schema/mesh/mesh-schema-problem.js';
import { jsonOption } from '../command-options.js';
import { formatMeshSchema, lintMeshSchemas, type MeshSchemaReport } from '../lint/lint-mesh-schemas.js';
import { pluralize } from '../pluralize.js';
import { print } from '../print.js';

/** The predecessor of `trellis lint` for mesh schemas. It keeps its output for programs. */
export function defineMeshSchemaCheck(parent: Command, visibility: CommandOptions): Command {
  const command = parent.command('check <folder>', visibility);
  return jsonOption(command.description('Check the mesh schemas of a folder.')).action(run);
}

async function run(given: string, options: { readonly json?: boolean }): Promise<void> {
  const folder = resolvePath(given);
  const report = await lintMeshSchemas(folder);
  const ok = report.problems.length === 0;
  print(options.json ? { ok, folder, ...report } : forPeople(folder, report));
  if (!ok) process.exitCode = 1;
}

function forPeople(folder: string, { schemas, tokens, warnings, problems }: MeshSchemaReport): string {
  return [
    ...schemas.map(formatMeshSchema),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...problems.map((problem) => `problem: ${formatMeshSchemaProblem(problem)}`),
    `${folder}: ${pluralize(schemas.length, 'schema')}, ${pluralize(schemas.length * 3, 'tool')}, about ${pluralize(tokens, 'token')} in the list of tools` +
      `${problems.length > 0 ? `, ${pluralize(problems.length, 'problem')}` : ''}`,
  ].join('\n');
}
