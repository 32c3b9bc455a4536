import type { Source } from '../language/source.js';
import { TrellisError } from '../model/error.js';
import type { Json } from '../model/json.js';
import { schemaOf } from '../schema/enforce/schema-of.js';
import type { ReadOptions } from '../store/read-options.js';
import type { QueryPlan } from '../store/read-results.js';
import type { Reader } from '../store/reader.js';
import type { RowQuery } from '../store/row-query.js';
import { type BindContext, bindQuery } from './bind.js';
import { asRead, checkedQueries, queryNamed } from './checked-queries.js';
import { readLength } from './read-length.js';

/** A branch of a graph that can be read. */
export interface QueryTarget {
  read<T>(work: (reader: Reader) => Promise<T>, options?: Pick<ReadOptions, 'length'>): Promise<T>;
}

/** A query and its parameters, as whoever asks words them. */
export interface QueryWish {
  readonly source: Source;
  /** Which query of the source; can be left out if it holds only one. */
  readonly name?: string | undefined;
  readonly params?: unknown;
  /** A commit whose state is read, instead of what the branch holds now. */
  readonly snapshot?: string | undefined;
  /** More rows are refused. */
  readonly maxRows?: number | undefined;
}

export interface QueryAnswer {
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
export async function runQuery(
  target: QueryTarget,
  wish: QueryWish,
  context: BindContext,
): Promise<QueryAnswer> {
  return onState(target, wish, context, async (reader, { name, columns, query }) => {
    const { rows } = await reader.query(query, { maxRows: wish.maxRows });
    return { name, columns, rows };
  });
}

/** Checks a query in the same way, and says how it would be run. */
export async function explainQuery(
  target: QueryTarget,
  wish: QueryWish,
  context: BindContext,
): Promise<QueryExplanation> {
  return onState(target, wish, context, async (reader, { name, columns, query }) => {
    const plan = await reader.explain(query);
    return { name, columns, plan };
  });
}

interface Prepared {
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: RowQuery;
}

/** A schema may change while a query is given its values, but hardly again and again. */
const mostAttempts = 5;

/**
 * Reads twice: first the schema, then, once the query is ready, the rows, since nothing may be kept waiting for an embedder.
 * Should the schema be another by then, the query is checked once more.
 */
async function onState<T extends object>(
  target: QueryTarget,
  { source, name, params, snapshot }: QueryWish,
  context: BindContext,
  work: (reader: Reader, prepared: Prepared) => Promise<T>,
): Promise<T & { readonly commit: string | null }> {
  const stateOf = async (reader: Reader) => (snapshot === undefined ? reader : reader.at(snapshot));
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const schema = await target.read(async (reader) => (await stateOf(reader)).schema());
    const checked = asRead(queryNamed(checkedQueries(source, schema), name));
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
      { length: readLength(bound.query, schema === null ? null : schemaOf(schema)) },
    );
    if (answer !== undefined) return answer;
  }
  throw new TrellisError('STORE_BUSY', 'The schema of the graph keeps changing.', { hint: 'Ask again.' });
}
