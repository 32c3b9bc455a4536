import { type Settings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import type { StoredQueries } from '../../query/registry/stored-queries.js';
import type { Store } from '../../store/store-contract.js';
import { note } from '../print.js';

/** The stored queries of a graph that work; one that is broken already cannot be broken by another schema. */
export async function workingQueries(
  store: Store,
  graph: string,
  settings: Settings,
): Promise<StoredQueries> {
  const { readQueries } = await import('../../query/registry/load-queries.js');
  const { queries, problems } = await readQueries(
    settingsOfGraph(settings, graph).queries,
    await new Graph(store, graph).read((reader) => reader.schema()),
  );
  for (const problem of problems)
    note(`this stored query does not work with the schema that is in force: ${problem}`);
  return queries;
}
