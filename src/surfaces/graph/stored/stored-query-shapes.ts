import { z } from 'zod';
import { limits } from '../../../model/limits.js';
import { branchInput, commitId, ifCommitInput, messageInput, receiptOutput } from '../graph-shapes.js';

export const mutationTarget = z.object({
  branch: branchInput('The branch to change'),
  if_commit: ifCommitInput,
});

export const readTarget = z.object({
  branch: branchInput('The branch to read'),
  snapshot: commitId('A commit, to read the graph as it was then, instead of a branch').optional(),
});

export const runInput = z.object({
  name: z.string().max(limits.nameLength).describe('The name of the stored query'),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The values of its parameters by name, without the $'),
  branch: branchInput('The branch to read or change'),
  snapshot: commitId('A commit, to read the graph as it was then; only for queries that read').optional(),
  if_commit: ifCommitInput,
  expect_mutation: z
    .boolean()
    .optional()
    .describe('Whether the query must be one that writes; if it is not, nothing is done'),
  message: messageInput,
});

const kinds = [
  'string',
  'bool',
  'int',
  'bigint',
  'float',
  'date',
  'datetime',
  'blob',
  'vector',
  'list',
] as const;

export const listOutput = z.object({
  queries: z.array(
    z.object({
      name: z.string(),
      tool_name: z.string(),
      description: z.string().nullable(),
      instruction: z.string().nullable(),
      mutation: z.boolean(),
      exposed: z.boolean(),
      params: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(kinds),
          nullable: z.boolean(),
          item_kind: z.enum(kinds).optional(),
          vector_dim: z.int().optional(),
        }),
      ),
    }),
  ),
});

/** One schema for queries that read and queries that write. */
export const runOutput = z.object({
  query_name: z.string(),
  target: z.object({ branch: z.string().nullable(), snapshot: z.string().nullable() }).optional(),
  row_count: z.int().min(0).optional(),
  columns: z.array(z.string()).optional(),
  rows: z.array(z.record(z.string(), z.unknown())).optional(),
  branch: z.string().optional(),
  affected_nodes: z.int().min(0).optional(),
  affected_edges: z.int().min(0).optional(),
  actor_id: z.string().optional(),
  commit_id: z.string().nullable(),
  graph_commit_id: z.string().nullable(),
  commit: receiptOutput.nullable().optional(),
});
