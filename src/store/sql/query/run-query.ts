import { mapYielding } from '../../../bounds/yielding-loops.js';
import { TrellisError } from '../../../model/error.js';
import { limits, queryLimits } from '../../../model/limits.js';
import type { QueryPlan, QueryRows } from '../../answers.js';
import type { QueryOptions } from '../../questions.js';
import type { RowQuery } from '../../row-query.js';
import type { Dialect } from '../dialect.js';
import type { Executor, SqlRow } from '../executor.js';
import type { Lineage } from '../lineage.js';
import { bestFirst, type Found } from './best-first.js';
import { BlockWriter, type Note } from './block-sql.js';
import { findBeforehand } from './findings.js';
import { KeptQueries } from './kept-queries.js';
import { chooseStarts } from './plan/choose-starts.js';
import { stepInWords } from './plan/in-words.js';
import { Scope } from './scope.js';
import { type SelectSql, selectSql } from './select-sql.js';
import type { TextLengths } from './texts/text-lengths.js';

/** Where a query is run. */
export interface QueryContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly lineage: Lineage;
  /** What of its texts was counted; left out where what is read may still change. */
  readonly lengths?: TextLengths | undefined;
}

/** Answers the rows of a query, all of them or none. */
export async function runQuery(
  context: QueryContext,
  query: RowQuery,
  { maxRows = queryLimits.rows, maxLength = limits.answerLength, timeLimit }: QueryOptions = {},
): Promise<QueryRows> {
  const { executor, dialect, lineage } = context;
  const most = Math.min(maxRows, queryLimits.mostRows);
  dialect.query.begin(executor, timeLimit);
  try {
    const limit = Math.min(query.limit ?? most + 1, most + 1);
    const { select, rows } = isRanked(query)
      ? await rankedRows(context, query, limit)
      : await rowsOf(
          executor,
          await keptFor(executor).select(query, lineage, limit, (each) => prepare(context, each, limit)),
        );
    if (rows.length > most) throw tooManyRows(most);
    if (isLonger(rows, maxLength)) throw tooLong(maxLength);
    return { rows: await mapYielding(rows, (row) => select.read(row)) };
  } catch (error) {
    throw dialect.query.isTimeout(error) ? tookTooLong(error) : error;
  }
}

interface SelectedRows {
  readonly select: SelectSql;
  readonly rows: readonly SqlRow[];
}

async function rowsOf(executor: Executor, select: SelectSql): Promise<SelectedRows> {
  const { sql, params } = select.statement;
  return { select, rows: await executor.all(sql, params, { adHoc: true, large: true }) };
}

/** Whether rows are ordered by words first of all. */
function isRanked({ order }: RowQuery): boolean {
  return order[0]?.expression.kind === 'bm25';
}

/** The rows of such a query: those with the words first, and all only if these are too few. */
async function rankedRows(context: QueryContext, query: RowQuery, limit: number): Promise<SelectedRows> {
  const { executor } = context;
  const found: Found = { query, findings: await findBeforehand(context, query) };
  const best = bestFirst(found);
  if (best !== undefined) {
    const answer = await rowsOf(executor, await put(context, best, limit));
    if (answer.rows.length >= limit) return answer;
  }
  return rowsOf(executor, await put(context, found, limit));
}

/** By what statements are run on: a connection of SQLite stays, and there putting SQL together is what a short query costs. */
const kept = new WeakMap<Executor, KeptQueries>();

function keptFor(executor: Executor): KeptQueries {
  const known = kept.get(executor);
  if (known !== undefined) return known;
  const fresh = new KeptQueries();
  kept.set(executor, fresh);
  return fresh;
}

/** Says how a query would be run. */
export async function explainQuery(context: QueryContext, query: RowQuery): Promise<QueryPlan> {
  const steps: string[] = [];
  const note: Note = (step, inner) => steps.push(stepInWords(step, inner));
  const select = await prepare(context, query, query.limit ?? queryLimits.rows, note);
  return { steps, sql: select.statement.sql };
}

async function prepare(
  context: QueryContext,
  query: RowQuery,
  limit: number,
  note?: Note,
): Promise<SelectSql> {
  return put(context, { query, findings: await findBeforehand(context, query) }, limit, note);
}

/** Puts a query into SQL. */
async function put(
  { executor, dialect, lineage }: QueryContext,
  { query, findings }: Found,
  limit: number,
  note?: Note,
): Promise<SelectSql> {
  const scope = new Scope(lineage, dialect, findings);
  const starts = await chooseStarts(executor, scope, query.match);
  const block = new BlockWriter(scope, starts, note).write(query.match);
  return selectSql(scope, query, block, limit);
}

function tooManyRows(limit: number): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The query has more than ${limit} rows.`, {
    hint: 'Add a limit, or ask for fewer with a condition.',
    details: { limit },
  });
}

/** Whether the texts of rows have more characters than these. */
function isLonger(rows: readonly SqlRow[], most: number): boolean {
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

function tooLong(limit: number): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The answer has more than ${limit} characters.`, {
    hint: 'Return fewer columns, or page: order by a property, add a limit, and ask next for what comes after the last row.',
    details: { limit },
  });
}

function tookTooLong(cause: unknown): TrellisError {
  return new TrellisError('QUERY_TIMEOUT', 'The query was ended at its time limit.', {
    hint: 'Ask for less: start from a key or an indexed property, or lower the number of hops.',
    cause,
  });
}
