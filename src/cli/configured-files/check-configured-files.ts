import { join } from 'node:path';
import type { GraphSettings } from '../../config/graph-settings.js';
import type { Settings } from '../../config/settings.js';
import { isReachable } from '../../file/path-exists.js';
import { FileSource } from '../../gate/registry/file-source.js';
import { asTrellisError } from '../../model/error.js';
import { readStoredQueries } from '../../query/stored/load-stored-queries.js';
import { parseStoredQueries } from '../../query/stored/parse-stored-queries.js';
import { readGraphSchemaFile } from '../../schema/apply/initialise-graph-schema.js';
import { parseGraphSchema } from '../../schema/graph/parse-graph-schema.js';
import { readMeshSchemaFolder } from '../../schema/mesh/folder/read-mesh-schema-folder.js';
import { buildMeshCatalog } from '../../schema/mesh/mesh-catalog.js';
import { formatMeshSchemaProblem } from '../../schema/mesh/mesh-schema-problem.js';
import { builtInTools } from '../../surfaces/graph/graph-surface.js';
import { toolNameHint, toolNameProblems } from '../../surfaces/graph/stored/tool-name-problems.js';
import { checkAccessFiles } from './check-access-files.js';
import { missingPaths } from './missing-files.js';
import { readProblems } from './read-problems.js';

export interface FileFindings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The queries of `stored` graphs are left to callers that can read the schema in force. */
export async function checkConfiguredFiles(
  settings: Settings,
  stored: ReadonlySet<string> = new Set(),
): Promise<FileFindings> {
  const problems: string[] = [];
  for (const folder of meshSchemaFolders(settings)) problems.push(...(await meshSchemaProblems(folder)));
  for (const file of gateRegistryFiles(settings)) problems.push(...(await gateRegistryProblems(file)));
  for (const [name, graph] of settings.graphs) {
    problems.push(...(await schemaFileProblems(graph)));
    if (!stored.has(name)) problems.push(...(await queryFileProblems(graph)));
    problems.push(...(await queryNameProblems(graph)));
  }
  const access = await checkAccessFiles(settings);
  problems.push(...access.problems);
  return {
    problems: [...new Set(problems)],
    warnings: [...(await missingPaths(settings)), ...access.warnings],
  };
}

function meshSchemaFolders({ graphs, defaults }: Settings): ReadonlySet<string> {
  return new Set([defaults, ...graphs.values()].flatMap(({ schemas }) => schemas.value ?? []));
}

async function meshSchemaProblems(folder: string): Promise<string[]> {
  // A missing folder is reported with the other paths.
  if (!(await isReachable(folder))) return [];
  try {
    return buildMeshCatalog((await readMeshSchemaFolder(folder)).files).problems.map((problem) =>
      formatMeshSchemaProblem({ ...problem, file: join(folder, problem.file) }),
    );
  } catch (thrown) {
    return [asTrellisError(thrown).message];
  }
}

function gateRegistryFiles({ graphs, defaults }: Settings): ReadonlySet<string> {
  const named = [defaults, ...graphs.values()].map(
    ({ gate }) => gate.schemaFile.value ?? gate.registry.value ?? '',
  );
  // A module would have to be run to be checked.
  return new Set(named.filter((path) => /\.(ya?ml|json)$/i.test(path)));
}

async function gateRegistryProblems(file: string): Promise<readonly string[]> {
  return (await isReachable(file)) ? readProblems(() => new FileSource(file).load()) : [];
}

type Sources = Pick<GraphSettings, 'schema' | 'queries'>;

async function schemaFileProblems({ schema: { value: file } }: Sources): Promise<readonly string[]> {
  if (file === undefined || !(await isReachable(file))) return [];
  return readProblems(async () => parseGraphSchema(await readGraphSchemaFile(file), file));
}

/** Names that cannot become tools keep a server from starting. */
async function queryNameProblems({ queries }: Sources): Promise<readonly string[]> {
  const { exposed } = await parseStoredQueries(queries);
  return toolNameProblems(exposed, builtInTools).map((problem) => `${problem} ${toolNameHint}`);
}

/** Without a valid schema file, reports only what is wrong under every schema. */
async function queryFileProblems(sources: Sources): Promise<readonly string[]> {
  const queries = [];
  for (const query of sources.queries) if (await isReachable(query.file)) queries.push(query);
  const { value: schema } = sources.schema;
  const isUsable =
    schema !== undefined && (await isReachable(schema)) && (await schemaFileProblems(sources)).length === 0;
  const { problems } = isUsable
    ? await readStoredQueries(queries, await readGraphSchemaFile(schema))
    : await parseStoredQueries(queries);
  return problems;
}
