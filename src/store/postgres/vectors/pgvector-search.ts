import type { Executor } from '../../sql/executor.js';
import { readNumber } from '../../sql/rows.js';
import { emptySql, raw, sql } from '../../sql/sql.js';
import type {
  FindNearest,
  GraphSpace,
  NearestDocumentIndex,
} from '../../sql/vectors/nearest-document-index.js';
import { postgresSchemaName } from '../pool.js';
import { formatHalfVector, maxDimensions } from './vector-column.js';
import { maxScannedVectors, vectorIndexName } from './vector-index.js';

/** pgvector's maximum of candidates; to get more, everything is compared. */
const maxFromIndex = 1_000;
/** More candidates than wanted, so that fewer near ones are missed. */
const oversampling = 4;

interface SpaceState {
  /** Some vectors are not in the column yet. */
  readonly unfilled: boolean;
  readonly large: boolean;
  readonly indexed: boolean;
}

/** Finds near vectors with pgvector: exactly in small graphs, with an index in large ones. */
export class PgvectorSearch implements NearestDocumentIndex {
  readonly #fallback: NearestDocumentIndex;

  /** @param fallback Searches what is not in the column. */
  constructor(fallback: NearestDocumentIndex) {
    this.#fallback = fallback;
  }

  async forSpace(executor: Executor, space: GraphSpace): Promise<FindNearest> {
    const { unfilled, large, indexed } = await readSpaceState(executor, space);
    if (unfilled || space.dimension > maxDimensions) return this.#fallback.forSpace(executor, space);
    return async (query, count, only) => {
      if (large && indexed && only === undefined && count <= maxFromIndex) {
        const found = await searchVectorIndex(executor, space, query, count);
        // An index gives up after a while if most of what is near belongs to other graphs.
        if (found.length === count) return found;
      }
      return scanVectors(executor, space, query, count, only);
    };
  }
}

async function readSpaceState(executor: Executor, { graph, space }: GraphSpace): Promise<SpaceState> {
  const [row] = await executor.all(
    sql`select exists (select 1 from text_vector v
          where v.graph = ${graph} and v.space = ${space} and v.embedding is null)::int as unfilled,
        (select count(*) from (select 1 from text_vector v where v.graph = ${graph} and v.space = ${space} limit ${maxScannedVectors + 1}) t) as size,
        exists (select 1 from pg_index i where i.indexrelid = to_regclass(${`${postgresSchemaName}.${vectorIndexName(space)}`}) and i.indisvalid)::int as indexed`,
  );
  if (row === undefined) return { unfilled: true, large: false, indexed: false };
  return {
    unfilled: readNumber(row, 'unfilled') === 1,
    large: readNumber(row, 'size') > maxScannedVectors,
    indexed: readNumber(row, 'indexed') === 1,
  };
}

/** Compares every vector, not by the indexed expression, so that no index is used. */
async function scanVectors(
  executor: Executor,
  { graph, space }: GraphSpace,
  query: Float32Array,
  count: number,
  only: readonly number[] | undefined,
): Promise<number[]> {
  const among = only === undefined ? emptySql : sql`and v.document = any(${only}::bigint[])`;
  const rows =
    await executor.all(sql`select v.document from text_vector v where v.graph = ${graph} and v.space = ${space}
      ${among}
      order by v.embedding <#> ${formatHalfVector(query)}::halfvec, v.document limit ${count}`);
  return rows.map((row) => readNumber(row, 'document'));
}

/**
 * The index has the vectors of all graphs, so the scan goes on until enough of this graph are found. The space is not a
 * parameter, since plans are made once, and the planner must see that the partial index covers it.
 */
async function searchVectorIndex(
  executor: Executor,
  { graph, space, dimension }: GraphSpace,
  query: Float32Array,
  count: number,
): Promise<number[]> {
  const candidates = Math.min(maxFromIndex, count * oversampling);
  const type = `halfvec(${dimension})`;
  // Not set_config, of which the nodes of a cluster are not told.
  executor.run(sql`set local hnsw.iterative_scan = strict_order`);
  executor.run(sql`set local hnsw.ef_search = ${raw(candidates)}`);
  // Without sorting, the planner has to use the index for the order, whatever its cost estimate.
  executor.run(sql`set local enable_sort = off`);
  const rows = await executor.all(
    sql`select v.document from text_vector v where v.space = ${raw(space)} and v.graph = ${graph}
      order by v.embedding::${raw(type)} <#> ${formatHalfVector(query)}::${raw(type)} limit ${count}`,
  );
  executor.run(sql`set local enable_sort = on`);
  return rows.map((row) => readNumber(row, 'document'));
}
