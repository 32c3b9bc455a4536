import { LruCache } from '../bounds/lru-cache.js';
import type { Source } from '../language/source.js';
import { TrellisError } from '../model/error.js';
import type { Json } from '../model/json.js';
import { cachedGraphSchema } from '../schema/enforce/graph-schema-cache.js';
import type { ReadOptions } from '../store/read-options.js';
import type { QueryPlan } from '../store/read-results.js';
import type { Reader } from '../store/reader.js';
import type { RowQuery } from '../store/row-query.js';
import { type BindContext, bindQuery } from './bind-query.js';
import { checkQueriesCached, maxCachedLength, requireRead, selectQuery } from './checked-query-cache.js';
import { estimateReadLength } from './estimate-read-length.js';

export interface QueryTarget {
  read<T>(work: (reader: Reader) => Promise<T>, options?: Pick<ReadOptions, 'length'>): Promise<T>;
}

export interface QueryRequest {
  readonly source: Source;
  /** Which query of the source; not needed if it has only one. */
  readonly name?: string | undefined;
  readonly params?: unknown;
  /** Read the state at this commit instead of the branch. */
  readonly snapshot?: string | undefined;
  readonly maxRows?: number | undefined;
}

export interface QueryResult {
  readonly name: string;
  readonly columns: readonly string[];
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

/**
 * Checks a query against the schema of the state it reads and returns all of its rows, or throws. Of an `explain query`, it
 * returns the steps of the plan.
 */
export async function executeQuery(
  target: QueryTarget,
  request: QueryRequest,
  context: BindContext,
): Promise<QueryResult> {
  return withPreparedQuery(target, request, context, async (reader, { name, explain, columns, query }) => {
    if (explain) {
      const { steps } = await reader.explain(query);
      return { name, columns: ['step'], rows: steps.map((step) => [step]) };
    }
    const { rows } = await reader.query(query, { maxRows: request.maxRows });
    return { name, columns, rows };
  });
}

/** Checks a query in the same way and returns its plan. */
export async function explainQuery(
  target: QueryTarget,
  request: QueryRequest,
  context: BindContext,
): Promise<QueryExplanation> {
  return withPreparedQuery(target, request, context, async (reader, { name, columns, query }) => {
    const plan = await reader.explain(query);
    return { name, columns, plan };
  });
}

interface PreparedQuery {
  readonly name: string;
  readonly explain: boolean;
  readonly columns: readonly string[];
  readonly query: RowQuery;
  readonly length: ReadOptions['length'];
}

/** The schema that a source was last run with: the next call mostly meets the same one, and then reads only once. */
const lastSchemas = new LruCache<{ readonly schema: string | null }>(200);
/** A schema may change while a query is bound, but hardly again and again. */
const maxAttempts = 5;

/**
 * Prepares the query before the read begins, since no read may wait for an embedder. If the read then finds another schema,
 * the query is prepared again with that one.
 */
async function withPreparedQuery<T extends object>(
  target: QueryTarget,
  request: QueryRequest,
  context: BindContext,
  work: (reader: Reader, prepared: PreparedQuery) => Promise<T>,
): Promise<T & { readonly commit: string | null }> {
  const { source, snapshot } = request;
  const stateOf = async (reader: Reader) => (snapshot === undefined ? reader : reader.at(snapshot));
  const readSchema = () => target.read(async (reader) => (await stateOf(reader)).schema());
  const last = lastSchemas.get(source.text);
  let schema = last === undefined ? await readSchema() : last.schema;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    let prepared: PreparedQuery;
    try {
      prepared = await prepareQuery(request, schema, context);
    } catch (error) {
      const current = last === undefined ? schema : await readSchema();
      if (current === schema) throw error;
      schema = current;
      continue;
    }
    const answer = await target.read(
      async (given) => {
        const reader = await stateOf(given);
        const current = await reader.schema();
        if (current !== schema) return { current };
        const done = await work(reader, prepared);
        const [newest] = await reader.commits({ limit: 1 });
        return { result: { ...done, commit: newest?.commit ?? null } };
      },
      { length: prepared.length },
    );
    if ('result' in answer) {
      if (source.text.length <= maxCachedLength) lastSchemas.set(source.text, { schema });
      return answer.result;
    }
    schema = answer.current;
  }
  throw new TrellisError('STORE_BUSY', 'The graph schema changed during the query.', { hint: 'Try again.' });
}

async function prepareQuery(
  { source, name, params }: QueryRequest,
  schema: string | null,
  context: BindContext,
): Promise<PreparedQuery> {
  const checked = requireRead(selectQuery(checkQueriesCached(source, schema), name));
  const bound = await bindQuery(checked, params, context);
  if (bound.kind !== 'read') throw new TrellisError('INTERNAL', 'A read was bound as a mutation.');
  return {
    name: checked.name,
    explain: checked.declaration.explain,
    columns: checked.body.columns.map((column) => column.name),
    query: bound.query,
    length: estimateReadLength(bound.query, schema === null ? null : cachedGraphSchema(schema)),
  };
}
