import { z } from 'zod';
import { type CommitOverview, describeCommits } from '../../../engine/history/recent-changes.js';
import { decodeNumbersCursor, encodeNumbersCursor } from '../../../engine/read/cursors.js';
import { paginate } from '../../../engine/read/page.js';
import { cursorInput, nextCursorOutput, pageExtras, storedName, timeInput } from '../../common-shapes.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput, commitOutput, toCommitOutput } from '../graph-shapes.js';
import { hideOrigin, mayReadCommit } from '../readable-commits.js';
import { nodeRefOutput, peopleLimitInput, readPermission, readState } from './people-shapes.js';

const name = 'people_recent';
const hiddenOverview: Omit<CommitOverview, 'commit'> = { nodes: [], hasMoreNodes: false, edges: 0 };

export const peopleRecent = defineTool({
  name,
  title: 'List recent changes',
  description: 'List the commits of a branch, newest first, each with the nodes that it changed.',
  input: z.object({
    since: timeInput('Only commits of this time or later'),
    actor: storedName.optional().describe('Only commits of this actor'),
    limit: peopleLimitInput(),
    cursor: cursorInput,
    branch: branchInput('The branch to read'),
  }),
  output: z.object({
    changes: z.array(
      z.object({
        commit: commitOutput,
        nodes: z.array(nodeRefOutput.extend({ change: z.enum(['added', 'changed', 'removed']) })),
        has_more_nodes: z.boolean().describe('True if the commit changed more nodes than are listed'),
        edges: z.int().describe('The number of edges that the commit changed'),
      }),
    ),
    nextCursor: nextCursorOutput,
  }),
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  async run(call, { since, actor, limit, cursor, branch = call.graph.branch }) {
    const [before] = cursor === undefined ? [] : decodeNumbersCursor(name, 1, cursor);
    const found = await call.history.findCommits({ branch, since, actor, before, limit: limit + 1 });
    const { page, more } = paginate(found, limit);
    const readable = page.filter((commit) => mayReadCommit(call, commit));
    const described = await describeCommits((work) => readState(call, { branch }, work), readable);
    const overviews = new Map(described.map(({ commit, ...overview }) => [commit.seq, overview]));
    const nextCursor = more ? encodeNumbersCursor(name, [page.at(-1)?.seq ?? 0]) : undefined;
    return {
      changes: page.map(hideOrigin(call)).map((commit) => {
        const { nodes, hasMoreNodes, edges } = overviews.get(commit.seq) ?? hiddenOverview;
        return {
          commit: toCommitOutput(commit),
          nodes: nodes.map(({ node, change }) => ({ name: node.name, type: node.type, change })),
          ...{ has_more_nodes: hasMoreNodes, edges },
        };
      }),
      ...pageExtras({ nextCursor }),
    };
  },
});
