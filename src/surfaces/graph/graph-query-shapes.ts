import { z } from 'zod';
import { languageLimits, queryLimits } from '../../model/limits.js';
import type { BindContext } from '../../query/bind-query.js';
import type { MutationResult } from '../../query/execute-mutation.js';
import type { QueryResult } from '../../query/execute-query.js';
import { storedName } from '../common-shapes.js';
import { commitIds, exactlyOne, receiptMembers, receiptOutput } from './graph-shapes.js';
import type { ReadableState } from './readable-state.js';

/** What queries run with, besides the arguments of a call. */
export interface QuerySettings extends Pick<BindContext, 'embed'> {
  /** Default: that of the store. */
  readonly maxRows: number | undefined;
}

const text = z.string().max(languageLimits.sourceLength);

export const sourceInput = {
  source: text.optional().describe('The query in the .gq language'),
  query: text.min(1).optional().describe('An alias'),
  name: storedName.optional().describe('Which query of the source to run, if it contains several'),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The values of its parameters by name, without the $'),
};

/** As clients of Omnigraph call them. */
export const sourceAliases = {
  ...{ query_source: 'source', querySource: 'source' },
  ...{ query_name: 'name', queryName: 'name' },
};

export function querySource(
  tool: string,
  { source, query }: { readonly source?: string | undefined; readonly query?: string | undefined },
): { readonly text: string } {
  return {
    text: exactlyOne(tool, ['source', 'query'], 'Put the text of the query into source.', source, query),
  };
}

export const rowsOutput = z.object({
  query_name: z.string(),
  target: z
    .object({ branch: z.string().nullable(), snapshot: z.string().nullable() })
    .describe('The state that was read; one of the two is null'),
  row_count: z.int().min(0).max(queryLimits.maxRows),
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())).describe('A value for each column'),
  commit_id: z.string().nullable().describe('The newest commit of what was read; null before the first'),
  graph_commit_id: z.string().nullable(),
});

export const queryOutput = rowsOutput.extend({
  plan: z.array(z.string()).optional().describe('How the query would run; only with explain'),
});

export function toQueryOutput(
  { name, columns, rows, commit }: QueryResult,
  { target }: ReadableState,
): z.output<typeof rowsOutput> {
  return {
    ...{ query_name: name, target, row_count: rows.length, columns: [...columns] },
    rows: rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
    ...commitIds(commit),
  };
}

export const mutateOutput = z.object({
  branch: z.string(),
  query_name: z.string(),
  affected_nodes: z.int().min(0).optional().describe('Only if you have read permission'),
  affected_edges: z
    .int()
    .min(0)
    .optional()
    .describe('Including edges deleted with their nodes; only if you have read permission'),
  actor_id: z.string(),
  commit_id: z
    .string()
    .nullable()
    .optional()
    .describe('Null if nothing changed; only if you have read permission'),
  graph_commit_id: z.string().nullable().optional(),
  commit: receiptOutput.nullable().optional(),
});

/** With everything that callers with `read` see. */
export type MutationOutput = z.output<typeof mutateOutput> & ReturnType<typeof receiptMembers>;

export function toMutationOutput(
  { name, affectedNodes, affectedEdges, commit }: MutationResult,
  branch: string,
  actor: string,
): MutationOutput {
  return {
    ...{ branch, query_name: name, affected_nodes: affectedNodes, affected_edges: affectedEdges },
    ...{ actor_id: actor, ...receiptMembers(commit) },
  };
}
