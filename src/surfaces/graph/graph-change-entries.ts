import { z } from 'zod';
import type { GraphHistory } from '../../engine/history/graph-history.js';
import type { Commit } from '../../model/commit.js';
import { asTrellisError } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import {
  type DescribedDiffWithSchema,
  describeDiffWithSchema,
} from '../../schema/apply/describe-diff-with-schema.js';
import type { CallContext } from '../call-context.js';
import { jsonTextAsync } from '../json-text.js';
import { changesOutput } from './graph-changes-shapes.js';
import { readChangesPage } from './graph-commit-changes-page.js';
import { branchInput, commitOutput, toCommitOutput } from './graph-shapes.js';
import { mayReadCommit } from './readable-commits.js';

const defaultLimit = 50;
const maxLimit = 1_000;
/** Commits that touched more are not shown. */
const maxTouched = 10_000;
/** Of a page; a commit that is longer by itself is not shown. Within a result it is indented, and takes more. */
const maxLength = limits.answerLength / 2;
/** A page ends after so many milliseconds. */
const pageMs = 5_000;

export const changesInput = z.object({
  since: z
    .string()
    .min(1)
    .max(limits.nameLength)
    .optional()
    .describe(
      'The cursor of an earlier response, the id of a commit to start behind, or now; default: from the first commit',
    ),
  branch: branchInput('The branch'),
  limit: z
    .int()
    .min(1)
    .max(maxLimit)
    .optional()
    .describe(`At most this many commits; default: ${defaultLimit}`),
});

const entryOutput = z.object({
  cursor: z.string().describe('Pass as since to continue after this entry'),
  commit: commitOutput,
  items: z
    .array(
      z.object({
        kind: z.enum(['node', 'edge']),
        type: z.string(),
        id: z.string().describe('The id of a node; the key of an edge, or empty if it has none'),
        operation: z.enum(['insert', 'update', 'delete']),
        from: z.string().optional(),
        to: z.string().optional(),
      }),
    )
    .optional()
    .describe('The changes without their values, nodes first'),
  changes: changesOutput.optional(),
  too_large: z.literal(true).optional().describe('There are too many changes to show; counts says how many'),
  collected: z.literal(true).optional().describe('The changes were garbage-collected'),
});

export const entriesOutput = z.object({
  entries: z.array(entryOutput).describe('Oldest first, one for each commit; a merge is one entry'),
  cursor: z.string().describe('Pass as since next time'),
  has_more: z.boolean().describe('Whether there are more entries already'),
});

type EntriesOutput = z.output<typeof entriesOutput>;

export async function readEntries(
  call: CallContext,
  { since, branch = call.graph.branch, limit = defaultLimit }: z.output<typeof changesInput>,
): Promise<EntriesOutput> {
  const start = performance.now();
  const page = await call.history.feed({ branch, since, limit });
  const entries: EntriesOutput['entries'] = [];
  let cursor = page.start;
  let length = 0;
  for (const entry of page.entries) {
    if (mayReadCommit(call, entry.commit)) {
      const changes = await describeChanges(call.history, entry.commit);
      length += changes.length;
      if (entries.length > 0 && (length > maxLength || performance.now() - start > pageMs))
        return { entries, cursor, has_more: true };
      entries.push({ cursor: entry.cursor, commit: toCommitOutput(entry.commit), ...changes.described });
    }
    cursor = entry.cursor;
  }
  return { entries, cursor, has_more: page.hasMore };
}

type Described = Pick<z.output<typeof entryOutput>, 'items' | 'changes' | 'too_large' | 'collected'>;

const operations = { added: 'insert', changed: 'update', removed: 'delete' } as const;

function withItems(changes: DescribedDiffWithSchema): Pick<Described, 'items' | 'changes'> {
  return {
    items: [
      ...changes.nodes.map(({ change, type, name }) => ({
        ...{ kind: 'node' as const, type, id: name, operation: operations[change] },
      })),
      ...changes.edges.map(({ change, type, from, to, key = '' }) => ({
        ...{ kind: 'edge' as const, type, id: key, operation: operations[change], from, to },
      })),
    ],
    changes,
  };
}

/** The changes of one commit, a page at a time. */
export async function readEntryOf(
  call: CallContext,
  request: {
    readonly commit_id: string;
    readonly since?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<EntriesOutput> {
  const { commit_id, since: cursor, limit } = request;
  const page = await readChangesPage(call, { commit_id, cursor, limit });
  const next = page.nextCursor ?? '';
  const entry = { cursor: next, commit: toCommitOutput(page.commit), ...withItems(page.changes) };
  return { entries: [entry], cursor: next, has_more: page.nextCursor !== undefined };
}

async function describeChanges(
  history: GraphHistory,
  commit: Commit,
): Promise<{ readonly described: Described; readonly length: number }> {
  try {
    const changes = await describeDiffWithSchema(await history.changesOf(commit, maxTouched));
    const { length } = await jsonTextAsync(changes);
    if (length <= maxLength) return { described: withItems(changes), length };
    return { described: { too_large: true }, length: 0 };
  } catch (error) {
    const { code, details } = asTrellisError(error);
    if (code === 'COMMIT_COLLECTED') return { described: { collected: true }, length: 0 };
    // Rather than that it took too long.
    if (code === 'LIMIT_EXCEEDED' && details?.['changes'] !== undefined)
      return { described: { too_large: true }, length: 0 };
    throw error;
  }
}
