import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { missingPaths } from '../../config/missing-paths.js';
import type { Settings } from '../../config/settings.js';
import { asTrellisError } from '../../model/error.js';
import { buildCatalog } from '../../schema/json/catalog.js';
import { readFolder } from '../../schema/json/folder/read-folder.js';
import { problemText } from '../../schema/json/schema-problem.js';
import type { DataHealth } from './examine.js';

/** Looks at what the settings name besides the data: what is not there, and schema files that cannot be used. */
export async function examineNamedFiles(
  settings: Settings,
): Promise<Pick<DataHealth, 'problems' | 'warnings'>> {
  const problems: string[] = [];
  for (const folder of schemaFolders(settings)) problems.push(...(await schemaProblems(folder)));
  return { problems, warnings: await missingPaths(settings) };
}

function schemaFolders({ graphs, otherGraphs }: Settings): ReadonlySet<string> {
  return new Set([otherGraphs, ...graphs.values()].flatMap(({ schemas }) => schemas.value ?? []));
}

async function schemaProblems(folder: string): Promise<string[]> {
  // A folder that is not there is told with the other paths.
  if ((await stat(folder).catch(() => undefined)) === undefined) return [];
  try {
    return buildCatalog((await readFolder(folder)).files).problems.map((problem) =>
      problemText({ ...problem, file: join(folder, problem.file) }),
    );
  } catch (thrown) {
    return [asTrellisError(thrown).message];
  }
}
