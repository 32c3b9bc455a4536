import { TrellisError } from '../../model/error.js';
import { parseQueries } from '../parse-queries.js';
import { queryMetadata } from '../query-metadata.js';
import { readQueryFile } from './read-query-file.js';
import type { StoredQuery } from './stored-query.js';
import type { StoredQuerySettings } from './stored-query-settings.js';

/** The stored queries that are to be tools, under any schema. Files that cannot be read are left out. */
export async function listExposedQueries(
  settings: readonly StoredQuerySettings[],
): Promise<readonly Pick<StoredQuery, 'name' | 'namedAt' | 'toolName'>[]> {
  const exposed: Pick<StoredQuery, 'name' | 'namedAt' | 'toolName'>[] = [];
  for (const { name, file, source, ...given } of settings) {
    try {
      const { queries } = parseQueries(await readQueryFile(file));
      const query = queries.find((candidate) => candidate.name === name);
      if (query === undefined) continue;
      const { expose, toolName } = queryMetadata(query);
      if (given.expose ?? expose ?? true)
        exposed.push({ name, namedAt: source, toolName: given.toolName ?? toolName ?? name });
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
    }
  }
  return exposed;
}
