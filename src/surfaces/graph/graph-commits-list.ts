import { z } from 'zod';
import { decodeNumbersCursor, encodeNumbersCursor } from '../../engine/read/cursors.js';
import { limits } from '../../model/limits.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { branchPermission } from './branch-permission.js';
import { branchInput, commitOutput, toCommitOutput } from './graph-shapes.js';

const defaultLimit = 50;

const input = z.object({
  branch: branchInput('The branch whose history to list'),
  limit: z
    .int()
    .min(1)
    .max(limits.batchItems)
    .optional()
    .describe(`At most this many commits; default: ${defaultLimit}`),
  cursor: z.string().min(1).max(limits.nameLength).optional().describe('The nextCursor of the previous page'),
});

export const graphCommitsList = defineTool({
  name: 'commits_list',
  title: 'List commits',
  description:
    'List the history of a branch, newest first, including merged commits: who changed how much, with which tool and when. commits_get shows what a commit changed.',
  input,
  output: z.object({
    commits: z.array(commitOutput),
    nextCursor: z.string().optional().describe('Pass as cursor to get the next page; absent on the last'),
  }),
  annotations: reads,
  action: branchPermission<z.output<typeof input>>('read', ({ branch }) => branch),
  async run({ graph, history }, { branch = graph.branch, limit = defaultLimit, cursor }) {
    const before = cursor === undefined ? undefined : seqOf(cursor);
    const found = await history.commits(branch, { before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      commits: page.map(toCommitOutput),
      ...(found.length > limit && last !== undefined ? { nextCursor: cursorAt(last.seq) } : {}),
    };
  },
});

/** A place in the history. */
function cursorAt(seq: number): string {
  return encodeNumbersCursor('commits_list', [seq]);
}

function seqOf(cursor: string): number {
  const [seq = 0] = decodeNumbersCursor('commits_list', 1, cursor);
  return seq;
}
