import { mapYielding } from '../../../bounds/yielding-loops.js';
import { TrellisError } from '../../../model/error.js';
import { limits, queryLimits } from '../../../model/limits.js';
import type { QueryOptions } from '../../read-requests.js';
import type { QueryPlan, QueryRows } from '../../read-results.js';
import type { RowQuery } from '../../row-query.js';
import type { Executor, SqlRow } from '../executor.js';
import { BlockCompiler, type StepListener } from './block-compiler.js';
import { queryCacheFor } from './compiled-query-cache.js';
import { edgePassOf, edgePassSql, edgesOfPass } from './edge-pass.js';
import { type EdgesInMemory, edgesAtHand, loadEdgesFor } from './edges-in-memory.js';
import { narrowToBestRows, type PreparedQuery } from './narrow-to-best-rows.js';
import { bindValues, type ParameterValue } from './parameter-slots.js';
import { chooseStarts } from './plan/choose-starts.js';
import { describeStep } from './plan/describe-step.js';
import { precomputeMatches } from './precompute-matches.js';
import { type SelectSql, selectSql } from './select-sql.js';
import { type QueryParameters, SqlScope } from './sql-scope.js';
import type { TextReadContext } from './texts/text-length-cache.js';

type RowQueryContext = Omit<TextReadContext, 'variables'>;

export async function runRowQuery(
  context: RowQueryContext,
  query: RowQuery,
  { maxRows = queryLimits.rows, maxLength = limits.answerLength, timeLimit }: QueryOptions = {},
): Promise<QueryRows> {
  const { executor, dialect } = context;
  const most = Math.min(maxRows, queryLimits.maxRows);
  dialect.queryDialect.begin(executor, timeLimit);
  try {
    const limit = Math.min(query.limit ?? most + 1, most + 1);
    const { select, rows } = isRanked(query)
      ? await rankedRows(context, query, limit)
      : await selectRows(executor, await selectFor(context, query, limit));
    if (rows.length > most) throw tooManyRowsError(most);
    if (exceedsLength(rows, maxLength)) throw resultTooLongError(maxLength);
    return { rows: await mapYielding(rows, (row) => select.read(row)) };
  } catch (error) {
    throw dialect.queryDialect.isTimeout(error) ? queryTimeoutError(error) : error;
  }
}

interface FilledSelect {
  readonly select: SelectSql;
  readonly values: readonly ParameterValue[];
}

/** With the edges in memory if they are there, or if the query follows many. */
async function selectFor(context: RowQueryContext, query: RowQuery, limit: number): Promise<FilledSelect> {
  const { executor, lineage } = context;
  const selectWith = (edgesInMemory: EdgesInMemory) =>
    queryCacheFor(executor).select(query, lineage, limit, edgesInMemory, (open, parameters) =>
      prepareAndCompile(context, open, limit, { parameters, edgesInMemory }),
    );
  const select = await selectWith(await edgesAtHand(context, query));
  const loaded = await loadEdgesFor(context, query, select);
  return loaded.size === 0 ? select : selectWith(loaded);
}

interface SelectedRows {
  readonly select: SelectSql;
  readonly rows: readonly SqlRow[];
}

async function selectRows(executor: Executor, { select, values }: FilledSelect): Promise<SelectedRows> {
  const statement = bindValues(select.statement, values);
  return { select, rows: await executor.all(statement, { adHoc: true, large: true }) };
}

function isRanked({ order }: RowQuery): boolean {
  return order[0]?.expression.kind === 'bm25';
}

/** Tries the rows with the words first, and all rows only if these are too few. */
async function rankedRows(context: RowQueryContext, query: RowQuery, limit: number): Promise<SelectedRows> {
  const { executor } = context;
  const found: PreparedQuery = { query, matches: await precomputeMatches(context, query) };
  const best = narrowToBestRows(found);
  if (best !== undefined) {
    const answer = await selectRows(executor, {
      select: await compileQuery(context, best, limit),
      values: [],
    });
    if (answer.rows.length >= limit) return answer;
  }
  return selectRows(executor, { select: await compileQuery(context, found, limit), values: [] });
}

export async function explainRowQuery(context: RowQueryContext, query: RowQuery): Promise<QueryPlan> {
  const steps: string[] = [];
  const note: StepListener = (step, inner) => steps.push(describeStep(step, inner));
  const edgesInMemory = await edgesAtHand(context, query);
  const limit = query.limit ?? queryLimits.rows;
  const select = await prepareAndCompile(context, query, limit, { note, edgesInMemory });
  return { steps, sql: select.statement.sql };
}

interface CompileOptions {
  readonly parameters?: QueryParameters;
  readonly note?: StepListener;
  readonly edgesInMemory?: EdgesInMemory;
}

async function prepareAndCompile(
  context: RowQueryContext,
  query: RowQuery,
  limit: number,
  options: CompileOptions,
): Promise<SelectSql> {
  return compileQuery(context, { query, matches: await precomputeMatches(context, query) }, limit, options);
}

async function compileQuery(
  { executor, dialect, lineage }: RowQueryContext,
  { query, matches }: PreparedQuery,
  limit: number,
  { parameters, note, edgesInMemory }: CompileOptions = {},
): Promise<SelectSql> {
  const scope = new SqlScope(lineage, dialect, matches, parameters, edgesInMemory);
  const starts = await chooseStarts(executor, scope, query);
  const blocks = new BlockCompiler(scope, starts, note);
  const pass = edgePassOf(query, starts);
  if (pass === null) return selectSql(scope, query, blocks.compile(query.match), limit);
  const edges = scope.edgesInMemory.get(pass.hop.edge);
  const block = edges === undefined ? null : edgePassSql(scope, pass, edges);
  if (block === null)
    return selectSql(scope, query, { ...blocks.compile(query.match), walk: edgesOfPass(scope, pass) }, limit);
  note?.({ kind: 'edges', hop: pass.hop }, false);
  return selectSql(scope, query, block, limit);
}

function tooManyRowsError(limit: number): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The query returns more than ${limit} rows.`, {
    hint: 'Add a limit or a condition.',
    details: { limit },
  });
}

function exceedsLength(rows: readonly SqlRow[], most: number): boolean {
  let length = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'string') length += value.length;
    }
    if (length > most) return true;
  }
  return false;
}

function resultTooLongError(limit: number): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The result exceeds ${limit} characters.`, {
    hint: 'Return fewer columns, or page: order by a property, add a limit, and continue after the last row.',
    details: { limit },
  });
}

function queryTimeoutError(cause: unknown): TrellisError {
  return new TrellisError('QUERY_TIMEOUT', 'The query exceeded its time limit.', {
    hint: 'Start from a key or an indexed property, or lower the number of hops.',
    cause,
  });
}
