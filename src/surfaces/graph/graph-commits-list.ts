import { z } from 'zod';
import { findNodeWithHistory } from '../../engine/history/node-history.js';
import { decodeNumbersCursor, encodeNumbersCursor } from '../../engine/read/cursors.js';
import { cursorInput, limitInput, nextCursorOutput, storedName, timeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { branchInput, branchPermission, commitOutput, toCommitOutput } from './graph-shapes.js';
import { hideOrigin } from './readable-commits.js';

const defaultLimit = 50;

const input = z.object({
  branch: branchInput('The branch whose history to list'),
  actor: storedName.optional().describe('Only commits of this actor'),
  tool: storedName.optional().describe('Only commits made with this tool'),
  since: timeInput('Only commits of this time or later'),
  until: timeInput('Only commits of this time or earlier'),
  node: storedName.optional().describe('Only commits that changed this node, its observations or its edges'),
  node_type: storedName.optional().describe('The type of that node, if several have its name'),
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
  async run(call, args) {
    const { graph, history } = call;
    const {
      branch = graph.branch,
      limit = defaultLimit,
      cursor,
      node: name,
      node_type: type,
      ...filter
    } = args;
    const node =
      name === undefined
        ? undefined
        : await graph.on(branch).read((reader) => findNodeWithHistory(reader, { name, type }));
    const [before] = cursor === undefined ? [] : decodeNumbersCursor('commits_list', 1, cursor);
    const found = await history.findCommits({ ...filter, branch, node, before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      commits: page.map(hideOrigin(call)).map(toCommitOutput),
      ...(found.length > limit && last !== undefined
        ? { nextCursor: encodeNumbersCursor('commits_list', [last.seq]) }
        : {}),
    };
  },
});
