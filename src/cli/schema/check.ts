import type { Command } from 'commander';
import { resolvePath } from '../../config/paths.js';
import { readMeshSchemaFolder } from '../../schema/mesh/folder/read-mesh-schema-folder.js';
import { buildMeshCatalog, type MeshCatalog } from '../../schema/mesh/mesh-catalog.js';
import type { MeshSchema } from '../../schema/mesh/mesh-schema.js';
import { formatMeshSchemaProblem } from '../../schema/mesh/mesh-schema-problem.js';
import { estimateTokens, listMeshTools } from '../../schema/mesh/mesh-tool-list.js';
import { counted } from '../counted.js';
import { jsonOption } from '../options.js';
import { print } from '../print.js';

interface CheckOptions {
  readonly json?: boolean;
}

/** One schema as the command shows it. */
interface Checked {
  readonly file: string;
  readonly type: string;
  readonly tools: readonly string[];
  readonly properties: number;
  readonly relationships: number;
  readonly tokens: number;
}

export function defineCheck(parent: Command): void {
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
  const checked = schemas.map((schema) => examine(schema, catalog));
  const tokens = estimateTokens(schemas.flatMap(listMeshTools));
  if (options.json) print(forPrograms(folder, catalog, checked, tokens));
  else print(forPeople(folder, catalog, checked, tokens));
  if (catalog.problems.length > 0) process.exitCode = 1;
}

function examine(schema: MeshSchema, catalog: MeshCatalog): Checked {
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
  schemas: readonly Checked[],
  tokens: number,
): object {
  return { ok: problems.length === 0, folder, schemas, tokens, warnings, problems };
}

function forPeople(
  folder: string,
  { warnings, problems }: MeshCatalog,
  schemas: readonly Checked[],
  tokens: number,
): string {
  const tools = schemas.reduce((sum, schema) => sum + schema.tools.length, 0);
  return [
    ...schemas.map(
      ({ file, tools, properties, relationships, tokens }) =>
        `${file}: ${tools.join(', ')}\n  ${counted(properties, 'property', 'properties')}, ` +
        `${counted(relationships, 'relationship')}, about ${counted(tokens, 'token')}`,
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...problems.map((problem) => `problem: ${formatMeshSchemaProblem(problem)}`),
    `${folder}: ${counted(schemas.length, 'schema')}, ${counted(tools, 'tool')}, about ${counted(tokens, 'token')} in the list of tools` +
      `${problems.length > 0 ? `, ${counted(problems.length, 'problem')}` : ''}`,
  ].join('\n');
}
