import { type Settings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import type { StoredQueries } from '../../query/stored/stored-queries.js';
import type { Store } from '../../store/store-contract.js';
import { note } from '../print.js';

/** A query that is broken already cannot be broken by another schema. */
export async function validStoredQueries(
  store: Store,
  graph: string,
  settings: Settings,
): Promise<StoredQueries> {
  const { readStoredQueries } = await import('../../query/stored/load-stored-queries.js');
  const { queries, problems } = await readStoredQueries(
    settingsOfGraph(settings, graph).queries,
    await new Graph(store, graph).read((reader) => reader.schema()),
  );
  for (const problem of problems)
    note(`this stored query does not work with the schema that is in force: ${problem}`);
  return queries;
}
