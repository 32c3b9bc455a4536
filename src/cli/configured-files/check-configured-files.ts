import { join } from 'node:path';
import type { Settings } from '../../config/settings.js';
import { FileSource } from '../../gate/registry/file-source.js';
import { asTrellisError } from '../../model/error.js';
import { readMeshSchemaFolder } from '../../schema/mesh/folder/read-mesh-schema-folder.js';
import { buildMeshCatalog } from '../../schema/mesh/mesh-catalog.js';
import { formatMeshSchemaProblem } from '../../schema/mesh/mesh-schema-problem.js';
import { checkAccessFiles } from './check-access-files.js';
import { missingPaths } from './missing-files.js';
import { isReachable, readProblems } from './read-problems.js';
import { queryFileProblems, queryNameProblems, schemaFileProblems } from './source-problems.js';

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

function meshSchemaFolders({ graphs, otherGraphs }: Settings): ReadonlySet<string> {
  return new Set([otherGraphs, ...graphs.values()].flatMap(({ schemas }) => schemas.value ?? []));
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

function gateRegistryFiles({ graphs, otherGraphs }: Settings): ReadonlySet<string> {
  const named = [otherGraphs, ...graphs.values()].map(
    ({ gate }) => gate.schemaFile.value ?? gate.registry.value ?? '',
  );
  // A module would have to be run to be checked.
  return new Set(named.filter((path) => /\.(ya?ml|json)$/i.test(path)));
}

async function gateRegistryProblems(file: string): Promise<readonly string[]> {
  return (await isReachable(file)) ? readProblems(() => new FileSource(file).load()) : [];
}
