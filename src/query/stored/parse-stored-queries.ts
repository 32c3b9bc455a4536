import { sourceErrorLines } from '../../language/source-problem.js';
import { TrellisError } from '../../model/error.js';
import { parseQueries } from '../parse-queries.js';
import { queryMetadata } from '../query-metadata.js';
import { missingQueryProblem } from './load-stored-queries.js';
import { readQueryFile } from './read-query-file.js';
import type { StoredQuery, StoredQuerySettings } from './stored-query.js';

type ExposedQuery = Pick<StoredQuery, 'name' | 'namedAt' | 'toolName'>;

/** What is known of stored queries without a schema: those that become tools, and syntax errors. */
export async function parseStoredQueries(
  settings: readonly StoredQuerySettings[],
): Promise<{ readonly exposed: readonly ExposedQuery[]; readonly problems: readonly string[] }> {
  const exposed: ExposedQuery[] = [];
  const problems = new Set<string>();
  for (const one of settings) {
    try {
      const { queries } = parseQueries(await readQueryFile(one.file));
      const query = queries.find(({ name }) => name === one.name);
      if (query === undefined) {
        problems.add(missingQueryProblem(one, { queries }));
        continue;
      }
      const { expose, toolName } = queryMetadata(query);
      if (one.expose ?? expose ?? true)
        exposed.push({
          name: one.name,
          namedAt: one.source,
          toolName: one.toolName ?? toolName ?? one.name,
        });
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
      for (const line of sourceErrorLines(error)) problems.add(line);
    }
  }
  return { exposed, problems: [...problems] };
}
