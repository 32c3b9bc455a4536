import { LruCache } from '../../../bounds/lru-cache.js';
import type { RowQuery, ValueOperand } from '../../row-query.js';
import type { Executor } from '../executor.js';
import type { Lineage } from '../lineage.js';
import type { ParameterValue } from './parameter-slots.js';
import { replaceValues, shapeOf } from './query-shape.js';
import type { SelectSql } from './select-sql.js';
import type { QueryParameters } from './sql-scope.js';

const maxCachedQueries = 200;
/** A longer query, such as one with a vector, is not likely to come again. */
const maxKeyLength = 8_192;
/** After this time the plan is chosen anew, since a graph grows and may get an index. */
const cacheMs = 60_000;

interface CachedQuery {
  readonly select: SelectSql;
  readonly since: number;
}

interface FilledQuery {
  readonly select: SelectSql;
  readonly values: readonly ParameterValue[];
}

class CompiledQueryCache {
  readonly #kept = new LruCache<CachedQuery>(maxCachedQueries);

  async select(
    query: RowQuery,
    { graph, levels, isNodeVisible }: Lineage,
    limit: number,
    edgesInMemory: ReadonlyMap<string, string>,
    compile: (query: RowQuery, parameters: QueryParameters) => Promise<SelectSql>,
  ): Promise<FilledQuery> {
    const { key: shape, values } = shapeOf(query);
    // Only the registry is ever hidden.
    let key = `${shape} ${limit} ${graph}${isNodeVisible === undefined ? '' : ' shown'}`;
    if (edgesInMemory.size > 0) key += ` ${JSON.stringify([...edgesInMemory.keys()])}`;
    for (const { branch, atHead, seq } of levels) key += ` ${branch}:${atHead ? 'head' : seq}`;
    const known = this.#kept.get(key);
    if (known !== undefined && Date.now() - known.since < cacheMs) return { select: known.select, values };
    const operands = new Map<ValueOperand, number>();
    // Copies, since a query may use one object in several places.
    const open = replaceValues(query, (given, index) => {
      const operand = { ...given };
      operands.set(operand, index);
      return operand;
    });
    const select = await compile(open, { values, operands });
    if (!select.isSingleUse && key.length <= maxKeyLength) this.#kept.set(key, { select, since: Date.now() });
    return { select, values };
  }
}

/** By executor: a connection of SQLite is kept, and compiling dominates the cost of a short query. */
const queryCaches = new WeakMap<Executor, CompiledQueryCache>();

export function queryCacheFor(executor: Executor): CompiledQueryCache {
  const known = queryCaches.get(executor);
  if (known !== undefined) return known;
  const fresh = new CompiledQueryCache();
  queryCaches.set(executor, fresh);
  return fresh;
}

/** Call it after a write was rolled back: a statement may use an index that it had made. */
export function forgetCompiledQueries(executor: Executor): void {
  queryCaches.delete(executor);
}
