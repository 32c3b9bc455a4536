import type { Source } from '../language/source.js';
import { TrellisError } from '../model/error.js';
import type { Json } from '../model/json.js';
import { cachedGraphSchema } from '../schema/enforce/graph-schema-cache.js';
import type { ReadOptions } from '../store/read-options.js';
import type { QueryPlan } from '../store/read-results.js';
import type { Reader } from '../store/reader.js';
import type { RowQuery } from '../store/row-query.js';
import { type BindContext, bindQuery } from './bind-query.js';
import { checkQueriesCached, requireRead, selectQuery } from './checked-query-cache.js';
import { estimateReadLength } from './estimate-read-length.js';

/** A branch of a graph that can be read. */
export interface QueryTarget {
  read<T>(work: (reader: Reader) => Promise<T>, options?: Pick<ReadOptions, 'length'>): Promise<T>;
}

/** A query and its parameters, as whoever asks words them. */
export interface QueryRequest {
  readonly source: Source;
  /** Which query of the source; can be left out if it holds only one. */
  readonly name?: string | undefined;
  readonly params?: unknown;
  /** A commit whose state is read, instead of what the branch holds now. */
  readonly snapshot?: string | undefined;
  /** More rows are refused. */
  readonly maxRows?: number | undefined;
}

export interface QueryResult {
  readonly name: string;
  readonly columns: readonly string[];
  /** A value for each column. */
  readonly rows: readonly (readonly Json[])[];
  /** The newest commit of the state that was read; null before the first. */
  readonly commit: string | null;
}

export interface QueryExplanation {
  readonly name: string;
  readonly columns: readonly string[];
  readonly plan: QueryPlan;
  readonly commit: string | null;
}

/** Checks a query against the schema of the state it reads, and answers its rows: all of them, or an error. */
export async function executeQuery(
  target: QueryTarget,
  wish: QueryRequest,
  context: BindContext,
): Promise<QueryResult> {
  return withPreparedQuery(target, wish, context, async (reader, { name, columns, query }) => {
    const { rows } = await reader.query(query, { maxRows: wish.maxRows });
    return { name, columns, rows };
  });
}

/** Checks a query in the same way, and says how it would be run. */
export async function explainQuery(
  target: QueryTarget,
  wish: QueryRequest,
  context: BindContext,
): Promise<QueryExplanation> {
  return withPreparedQuery(target, wish, context, async (reader, { name, columns, query }) => {
    const plan = await reader.explain(query);
    return { name, columns, plan };
  });
}

interface PreparedQuery {
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: RowQuery;
}

/** A schema may change while a query is given its values, but hardly again and again. */
const maxAttempts = 5;

/**
 * Reads twice: first the schema, then, once the query is ready, the rows, since nothing may be kept waiting for an embedder.
 * Should the schema be another by then, the query is checked once more.
 */
async function withPreparedQuery<T extends object>(
  target: QueryTarget,
  { source, name, params, snapshot }: QueryRequest,
  context: BindContext,
  work: (reader: Reader, prepared: PreparedQuery) => Promise<T>,
): Promise<T & { readonly commit: string | null }> {
  const stateOf = async (reader: Reader) => (snapshot === undefined ? reader : reader.at(snapshot));
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const schema = await target.read(async (reader) => (await stateOf(reader)).schema());
    const checked = requireRead(selectQuery(checkQueriesCached(source, schema), name));
    const bound = await bindQuery(checked, params, context);
    if (bound.kind !== 'read') throw new TrellisError('INTERNAL', 'A query that reads was bound to write.');
    const prepared = {
      name: checked.name,
      columns: checked.body.columns.map((column) => column.name),
      query: bound.query,
    };
    const answer = await target.read(
      async (given) => {
        const reader = await stateOf(given);
        if ((await reader.schema()) !== schema) return undefined;
        const done = await work(reader, prepared);
        const [newest] = await reader.commits({ limit: 1 });
        return { ...done, commit: newest?.commit ?? null };
      },
      { length: estimateReadLength(bound.query, schema === null ? null : cachedGraphSchema(schema)) },
    );
    if (answer !== undefined) return answer;
  }
  throw new TrellisError('STORE_BUSY', 'The schema of the graph keeps changing.', { hint: 'Ask again.' });
}
