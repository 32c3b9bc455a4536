import type { Settings } from '../../config/settings.js';
import { readStoredQueries } from '../../query/stored/load-stored-queries.js';
import type { Store } from '../../store/store-contract.js';

export async function storedQueryProblems(store: Store, configured: Settings['graphs']): Promise<string[]> {
  const names = new Set((await store.graphs()).map(({ name }) => name));
  const found: string[] = [];
  for (const [graph, { queries }] of configured) {
    if (queries.length === 0 || !names.has(graph)) continue;
    const schema = await store.read({ graph }, (reader) => reader.schema());
    const { problems } = await readStoredQueries(queries, schema);
    found.push(...problems.map((problem) => `A stored query of the graph ${graph} is broken: ${problem}`));
  }
  return found;
}
