import { TrellisError } from '../../model/error.js';
import { queryNotes } from '../annotations.js';
import { parseQueries } from '../parse-queries.js';
import { readQueryFile } from './query-file.js';
import type { StoredQuerySettings } from './settings.js';
import type { StoredQuery } from './stored-query.js';

/** The stored queries that are to be tools, under any schema. Files that cannot be read are left out. */
export async function exposedNames(
  settings: readonly StoredQuerySettings[],
): Promise<readonly Pick<StoredQuery, 'name' | 'namedAt' | 'toolName'>[]> {
  const exposed: Pick<StoredQuery, 'name' | 'namedAt' | 'toolName'>[] = [];
  for (const { name, file, source, ...given } of settings) {
    try {
      const { queries } = parseQueries(await readQueryFile(file));
      const query = queries.find((candidate) => candidate.name === name);
      if (query === undefined) continue;
      const { expose, toolName } = queryNotes(query);
      if (given.expose ?? expose ?? true)
        exposed.push({ name, namedAt: source, toolName: given.toolName ?? toolName ?? name });
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
    }
  }
  return exposed;
}
