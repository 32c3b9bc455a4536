import { z } from 'zod';
import { TrellisError } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';
import { onBranch } from './on-branch.js';
import { branchInput, commitOf, commitOutput } from './shapes.js';

const defaultLimit = 50;

const input = z.strictObject({
  branch: branchInput('The branch whose history is wanted'),
  limit: z
    .int()
    .min(1)
    .max(limits.batchItems)
    .optional()
    .describe(`At most this many commits; default: ${defaultLimit}`),
  cursor: z.string().max(limits.nameLength).optional().describe('The nextCursor of the previous page'),
});

export const commitsList = defineTool({
  name: 'commits_list',
  title: 'List commits',
  description:
    'The history of a branch, newest first, with what was merged into it: who changed how much, by which tool and when. commits_get says what one of them changed.',
  input,
  output: z.object({
    commits: z.array(commitOutput),
    nextCursor: z.string().optional().describe('Pass as cursor to get the next page; absent on the last'),
  }),
  annotations: reads,
  action: onBranch<z.output<typeof input>>('read', ({ branch }) => branch),
  async run({ graph, history }, { branch = graph.branch, limit = defaultLimit, cursor }) {
    const before = cursor === undefined ? undefined : seqOf(cursor);
    const found = await history.commits(branch, { before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      commits: page.map(commitOf),
      ...(found.length > limit && last !== undefined ? { nextCursor: cursorAt(last.seq) } : {}),
    };
  },
});

/** A place in the history, as text an agent hands back unread. */
function cursorAt(seq: number): string {
  return Buffer.from(`before ${seq}`).toString('base64url');
}

function seqOf(cursor: string): number {
  const match = /^before (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match !== null) return Number(match[1]);
  throw new TrellisError('INVALID_ARGUMENT', 'The cursor is not one this server gave out.', {
    hint: 'Pass the nextCursor of the previous answer unchanged, or leave cursor out to start again.',
  });
}
