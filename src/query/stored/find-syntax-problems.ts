import { sourceErrorLines } from '../../language/source-problem.js';
import { TrellisError } from '../../model/error.js';
import { parseQueries } from '../parse-queries.js';
import { missingQueryProblem } from './load-stored-queries.js';
import { readQueryFile } from './read-query-file.js';
import type { StoredQuerySettings } from './stored-query-settings.js';

/** What is wrong with files of stored queries under any schema: texts outside the grammar, and queries they do not hold. */
export async function findSyntaxProblems(
  settings: readonly StoredQuerySettings[],
): Promise<readonly string[]> {
  const problems = new Set<string>();
  for (const one of settings) {
    try {
      const { queries } = parseQueries(await readQueryFile(one.file));
      if (!queries.some(({ name }) => name === one.name)) problems.add(missingQueryProblem(one, { queries }));
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
      for (const line of sourceErrorLines(error)) problems.add(line);
    }
  }
  return [...problems];
}
