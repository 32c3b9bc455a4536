import { edgeListRequest } from '../../src/store/sql/query/edges-in-memory.js';
import { SqlReader } from '../../src/store/sql/sql-reader.js';
import type { Store } from '../../src/store/store-contract.js';

/** Has a store keep the edges of these types in memory, where it can, as if many had been followed. */
export function keepEdgesInMemory(
  store: Store,
  target: { readonly graph: string; readonly branch?: string },
  types: readonly string[],
): Promise<boolean> {
  return store.read(target, async (reader) => {
    if (!(reader instanceof SqlReader)) throw new TypeError('Not a reader of a database.');
    const { executor, lineage } = reader;
    for (const type of types) await executor.prepareEdges?.(edgeListRequest(lineage, type, true));
    return executor.prepareEdges !== undefined;
  });
}
