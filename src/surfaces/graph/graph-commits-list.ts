import { z } from 'zod';
import { decodeNumbersCursor, encodeNumbersCursor } from '../../engine/read/cursors.js';
import { cursorInput, limitInput, nextCursorOutput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { branchInput, branchPermission, commitOutput, toCommitOutput } from './graph-shapes.js';

const defaultLimit = 50;

const input = z.object({
  branch: branchInput('The branch whose history to list'),
  limit: limitInput(`At most this many commits; default: ${defaultLimit}`),
  cursor: cursorInput,
});

export const graphCommitsList = defineTool({
  name: 'commits_list',
  title: 'List commits',
  description:
    'List the history of a branch, newest first, including merged commits: who changed how much, with which tool and when. commits_get shows what a commit changed.',
  input,
  output: z.object({ commits: z.array(commitOutput), nextCursor: nextCursorOutput }),
  annotations: reads,
  action: branchPermission<z.output<typeof input>>('read', ({ branch }) => branch),
  async run({ graph, history }, { branch = graph.branch, limit = defaultLimit, cursor }) {
    const [before] = cursor === undefined ? [] : decodeNumbersCursor('commits_list', 1, cursor);
    const found = await history.commits(branch, { before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      commits: page.map(toCommitOutput),
      ...(found.length > limit && last !== undefined
        ? { nextCursor: encodeNumbersCursor('commits_list', [last.seq]) }
        : {}),
    };
  },
});
