import type { Executor } from '../../sql/executor.js';
import { integer } from '../../sql/rows.js';
import type { GraphSpace, NearestDocuments, Propose } from '../../sql/vectors/nearest-documents.js';
import { schemaName } from '../pool.js';
import { halfVector, mostDimensions } from './vector-column.js';
import { indexName, scannedUpTo } from './vector-index.js';

/** pgvector looks at no more candidates at a time; whoever wants more than that compares everything. */
const mostFromIndex = 1_000;
/** How much further to look than was asked for: the further, the less is missed. */
const further = 4;

interface SpaceState {
  /** Whether some vectors are not in the column yet. */
  readonly unfilled: boolean;
  /** How many there are, counted up to what is scanned. */
  readonly large: boolean;
  readonly indexed: boolean;
}

/** Lets pgvector find what is near: exactly in small graphs, with an index in large ones. */
export class VectorSearch implements NearestDocuments {
  readonly #instead: NearestDocuments;

  /** `instead` searches what the column does not hold. */
  constructor(instead: NearestDocuments) {
    this.#instead = instead;
  }

  async among(executor: Executor, space: GraphSpace): Promise<Propose> {
    const { unfilled, large, indexed } = await stateOf(executor, space);
    if (unfilled || space.dimension > mostDimensions) return this.#instead.among(executor, space);
    return async (query, count, only) => {
      if (large && indexed && only === undefined && count <= mostFromIndex) {
        const found = await fromIndex(executor, space, query, count);
        // An index gives up after a while if most of what is near belongs to other graphs.
        if (found.length === count) return found;
      }
      return compared(executor, space, query, count, only);
    };
  }
}

async function stateOf(executor: Executor, { graph, space }: GraphSpace): Promise<SpaceState> {
  const [row] = await executor.all(
    `select exists (select 1 from text_vector v
          where v.graph = ? and v.space = ? and v.embedding is null)::int as unfilled,
        (select count(*) from (select 1 from text_vector v where v.graph = ? and v.space = ? limit ?) t) as size,
        exists (select 1 from pg_index i where i.indexrelid = to_regclass(?) and i.indisvalid)::int as indexed`,
    [...[graph, space], ...[graph, space, scannedUpTo + 1], `${schemaName}.${indexName(space)}`],
  );
  if (row === undefined) return { unfilled: true, large: false, indexed: false };
  return {
    unfilled: integer(row, 'unfilled') === 1,
    large: integer(row, 'size') > scannedUpTo,
    indexed: integer(row, 'indexed') === 1,
  };
}

/** Every vector of the graph, or of some documents, is compared: not by the indexed expression, so that no index is used. */
async function compared(
  executor: Executor,
  { graph, space }: GraphSpace,
  query: Float32Array,
  count: number,
  only: readonly number[] | undefined,
): Promise<number[]> {
  const rows = await executor.all(
    `select v.document from text_vector v where v.graph = ? and v.space = ?
      ${only === undefined ? '' : 'and v.document = any(?::bigint[])'}
      order by v.embedding <#> ?::halfvec, v.document limit ?`,
    [graph, space, ...(only === undefined ? [] : [only]), halfVector(query), count],
  );
  return rows.map((row) => integer(row, 'document'));
}

/**
 * The index holds the vectors of all graphs, so the scan goes on until enough of this graph were found. The number of the
 * space stands in the statement, since plans are made once, and only so can the index be known to cover it.
 */
async function fromIndex(
  executor: Executor,
  { graph, space, dimension }: GraphSpace,
  query: Float32Array,
  count: number,
): Promise<number[]> {
  const candidates = Math.min(mostFromIndex, count * further);
  const type = `halfvec(${dimension})`;
  // Without a sort the only order there is comes from the index, whatever the planner thinks of its cost.
  executor.run(
    `select set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', ?, true),
      set_config('enable_sort', 'off', true)`,
    [String(candidates)],
  );
  const rows = await executor.all(
    `select v.document from text_vector v where v.space = ${space} and v.graph = ?
      order by v.embedding::${type} <#> ?::${type} limit ?`,
    [graph, halfVector(query), count],
  );
  executor.run(`select set_config('enable_sort', 'on', true)`);
  return rows.map((row) => integer(row, 'document'));
}
