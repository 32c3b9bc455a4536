import { z } from 'zod';
import { TrellisError } from '../../model/error.js';
import { languageLimits, limits, queryLimits } from '../../model/limits.js';
import type { MutationResult } from '../../query/execute-mutation.js';
import type { QueryResult } from '../../query/execute-query.js';
import type { ReadableState } from './readable-state.js';

const text = z.string().max(languageLimits.sourceLength);

/** A source, under either of its names, and what it is run with. */
export const sourceInput = {
  source: text.optional().describe('The query in the .gq language'),
  query: text.min(1).optional().describe('An alias'),
  name: z
    .string()
    .min(1)
    .max(limits.nameLength)
    .optional()
    .describe('Which query of the source to run, if it contains several'),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The values of its parameters by name, without the $'),
};

/** The source that a call gives. */
export function querySource(
  tool: string,
  { source, query }: { readonly source?: string | undefined; readonly query?: string | undefined },
): { readonly text: string } {
  const given = source ?? query;
  if (given !== undefined && (source === undefined || query === undefined)) return { text: given };
  throw new TrellisError('INVALID_ARGUMENT', `Invalid arguments for ${tool}: pass source and nothing else.`, {
    hint: 'Nothing was done. Put the text of the query into source.',
  });
}

/** The rows of a query. */
export const rowsOutput = z.object({
  query_name: z.string(),
  target: z
    .object({ branch: z.string().nullable(), snapshot: z.string().nullable() })
    .describe('The state that was read; one of the two is null'),
  row_count: z.int().min(0).max(queryLimits.maxRows),
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())).describe('A value for each column'),
  commit_id: z.string().nullable().describe('The newest commit of what was read; null before the first'),
});

/** The same, or how they would be found. */
export const queryOutput = rowsOutput.extend({
  plan: z.array(z.string()).optional().describe('How the query would run; only with explain'),
});

/** The rows of a query, as agents see them. */
export function toQueryOutput(
  { name, columns, rows, commit }: QueryResult,
  { target }: ReadableState,
): z.output<typeof rowsOutput> {
  return {
    ...{ query_name: name, target, row_count: rows.length, columns: [...columns] },
    rows: rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
    commit_id: commit,
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
});

/** What a mutation did, as whoever may read sees it. */
export type MutationOutput = z.output<typeof mutateOutput> & { readonly commit_id: string | null };

/** What a mutation did, as agents see it. */
export function toMutationOutput(
  { name, affectedNodes, affectedEdges, commit }: MutationResult,
  branch: string,
  actor: string,
): MutationOutput {
  return {
    ...{ branch, query_name: name, affected_nodes: affectedNodes, affected_edges: affectedEdges },
    ...{ actor_id: actor, commit_id: commit },
  };
}
