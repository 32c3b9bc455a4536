import type { Command } from 'commander';
import { resolvePath } from '../../config/paths.js';
import { readMeshSchemaFolder } from '../../schema/mesh/folder/read-mesh-schema-folder.js';
import { buildMeshCatalog, type MeshCatalog } from '../../schema/mesh/mesh-catalog.js';
import type { MeshSchema } from '../../schema/mesh/mesh-schema.js';
import { formatMeshSchemaProblem } from '../../schema/mesh/mesh-schema-problem.js';
import { estimateTokens, listMeshTools } from '../../schema/mesh/mesh-tool-list.js';
import { jsonOption } from '../command-options.js';
import { pluralize } from '../pluralize.js';
import { print } from '../print.js';

interface CheckOptions {
  readonly json?: boolean;
}

/** One schema as the command shows it. */
interface CheckedMeshSchema {
  readonly file: string;
  readonly type: string;
  readonly tools: readonly string[];
  readonly properties: number;
  readonly relationships: number;
  readonly tokens: number;
}

export function defineMeshSchemaCheck(parent: Command): void {
  jsonOption(parent.command('check <folder>').description('Check the schema files of a folder.'))
    .addHelpText(
      'after',
      `
Prints each schema, the tools it makes and about how many tokens these take of an agent's context, then warnings
and problems. Exits with 1 if there is a problem: a server would refuse to start with it.

Examples:
  $ trellis schema check schemas
  $ trellis schema check schemas --json
`,
    )
    .action(run);
}

async function run(given: string, options: CheckOptions): Promise<void> {
  const folder = resolvePath(given);
  const catalog = buildMeshCatalog((await readMeshSchemaFolder(folder)).files);
  const schemas = [...catalog.schemas.values()];
  const checked = schemas.map((schema) => describeSchema(schema, catalog));
  const tokens = estimateTokens(schemas.flatMap(listMeshTools));
  if (options.json) print(forPrograms(folder, catalog, checked, tokens));
  else print(forPeople(folder, catalog, checked, tokens));
  if (catalog.problems.length > 0) process.exitCode = 1;
}

function describeSchema(schema: MeshSchema, catalog: MeshCatalog): CheckedMeshSchema {
  const tools = listMeshTools(schema);
  return {
    file: catalog.files.get(schema.type) ?? '',
    type: schema.type,
    tools: tools.map(({ name }) => name),
    properties: schema.properties.length,
    relationships: schema.properties.filter(({ relationship }) => relationship !== undefined).length,
    tokens: estimateTokens(tools),
  };
}

function forPrograms(
  folder: string,
  { warnings, problems }: MeshCatalog,
  schemas: readonly CheckedMeshSchema[],
  tokens: number,
): object {
  return { ok: problems.length === 0, folder, schemas, tokens, warnings, problems };
}

function forPeople(
  folder: string,
  { warnings, problems }: MeshCatalog,
  schemas: readonly CheckedMeshSchema[],
  tokens: number,
): string {
  const tools = schemas.reduce((sum, schema) => sum + schema.tools.length, 0);
  return [
    ...schemas.map(
      ({ file, tools, properties, relationships, tokens }) =>
        `${file}: ${tools.join(', ')}\n  ${pluralize(properties, 'property', 'properties')}, ` +
        `${pluralize(relationships, 'relationship')}, about ${pluralize(tokens, 'token')}`,
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...problems.map((problem) => `problem: ${formatMeshSchemaProblem(problem)}`),
    `${folder}: ${pluralize(schemas.length, 'schema')}, ${pluralize(tools, 'tool')}, about ${pluralize(tokens, 'token')} in the list of tools` +
      `${problems.length > 0 ? `, ${pluralize(problems.length, 'problem')}` : ''}`,
  ].join('\n');
}
