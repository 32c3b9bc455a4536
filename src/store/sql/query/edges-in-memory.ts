import type { RowQuery } from '../../row-query.js';
import type { ReadContext } from '../dialect.js';
import type { EdgeListRequest } from '../executor.js';
import { type Lineage, visible } from '../lineage.js';
import { selectNumber } from '../rows.js';
import { raw, sql } from '../sql.js';
import { bindValues, type ParameterValue } from './parameter-slots.js';
import { blocksOf } from './query-variables.js';
import type { SelectSql } from './select-sql.js';

/** The types of edges that are in memory, and what they are called there. */
export type EdgesInMemory = ReadonlyMap<string, string>;

export const noEdges: EdgesInMemory = new Map();

/** SQL follows edges for up to so many steps; beyond that, they are read into memory. */
const maxStepsInSql = 2_000;

/** The edges that a query may follow in memory, as far as they are there. */
export async function edgesAtHand(context: ReadContext, query: RowQuery): Promise<EdgesInMemory> {
  return prepareEdges(context, query, false);
}

/** Reads them, if the query follows so many of them that this pays. */
export async function loadEdgesFor(
  context: ReadContext,
  query: RowQuery,
  { select, values }: { readonly select: SelectSql; readonly values: readonly ParameterValue[] },
): Promise<EdgesInMemory> {
  const { executor, lineage } = context;
  if (select.walk === null || executor.prepareEdges === undefined || !isPlainHead(lineage)) return noEdges;
  const walk = bindValues(select.walk, values);
  const steps = await selectNumber(
    executor,
    sql`select count(*) as n from (${walk} limit ${raw(maxStepsInSql + 1)}) w`,
    { adHoc: true },
  );
  return steps > maxStepsInSql ? prepareEdges(context, query, true) : noEdges;
}

async function prepareEdges(
  { executor, lineage }: ReadContext,
  query: RowQuery,
  load: boolean,
): Promise<EdgesInMemory> {
  if (executor.prepareEdges === undefined || !isPlainHead(lineage)) return noEdges;
  const found = new Map<string, string>();
  for (const type of typesFollowed(query)) {
    const request = edgeListRequest(lineage, type, load);
    if (await executor.prepareEdges(request)) found.set(type, request.key);
  }
  return found;
}

/** Everybody sees the same edges there, and commits say what changes. */
function isPlainHead({ levels, isNodeVisible }: Lineage): boolean {
  return levels[0].atHead && isNodeVisible === undefined;
}

/** Hops of several steps, and those that an aggregate may count. */
function typesFollowed(query: RowQuery): ReadonlySet<string> {
  const hops = blocksOf(query).flatMap((block) => block.hops);
  const isAggregate = query.grouped && hops.length === 1;
  return new Set(
    hops.filter(({ min, max }) => isAggregate || min !== 1 || max !== 1).map(({ edge }) => edge),
  );
}

export function edgeListRequest(lineage: Lineage, type: string, load: boolean): EdgeListRequest {
  const { graph, levels } = lineage;
  const [{ branch }] = levels;
  const key = JSON.stringify([graph, branch, type]);
  return { key, graph, branch, type, visible: visible('edge_row', 'e', lineage), load };
}
