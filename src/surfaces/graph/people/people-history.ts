import { z } from 'zod';
import { diffToJson } from '../../../engine/history/diff-json.js';
import {
  describeVersions,
  findNodeWithHistory,
  type NodeVersion,
} from '../../../engine/history/node-history.js';
import { decodeNumbersCursor, encodeNumbersCursor } from '../../../engine/read/cursors.js';
import { paginate } from '../../../engine/read/page.js';
import { cursorInput, nextCursorOutput, pageExtras, storedName } from '../../common-shapes.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { changesOutput } from '../graph-changes-shapes.js';
import { branchInput, commitOutput, toCommitOutput } from '../graph-shapes.js';
import { hideOrigin, mayReadCommit } from '../readable-commits.js';
import { peopleLimitInput, readPermission, readState } from './people-shapes.js';

const name = 'people_history';

export const peopleHistory = defineTool({
  name,
  title: 'Get the history of a node',
  description:
    'List the commits that changed a node, its observations or its edges, newest first, each with what it changed of them. Works for deleted nodes too.',
  input: z.object({
    name: storedName.describe('The name of the node'),
    type: storedName.optional().describe('Its type, if several nodes have the name'),
    limit: peopleLimitInput(),
    cursor: cursorInput,
    branch: branchInput('The branch whose history to read'),
  }),
  output: z.object({
    versions: z.array(
      z.object({
        commit: commitOutput,
        change: z
          .enum(['added', 'changed', 'removed'])
          .optional()
          .describe('What happened to the node; absent if that is not known or not for you'),
        node_changes: changesOutput,
      }),
    ),
    nextCursor: nextCursorOutput,
  }),
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  async run(call, { name: wanted, type, limit, cursor, branch = call.graph.branch }) {
    const [before] = cursor === undefined ? [] : decodeNumbersCursor(name, 1, cursor);
    const node = await readState(call, { branch }, (reader) =>
      findNodeWithHistory(reader, { name: wanted, type }),
    );
    const found = await call.history.findCommits({ branch, node, before, limit: limit + 1 });
    const { page, more } = paginate(found, limit);
    const readable = page.filter((commit) => mayReadCommit(call, commit));
    const described = await readState(
      call,
      { branch },
      (reader) => describeVersions(reader, node, readable),
      'linear',
    );
    const changes = new Map(described.map((version) => [version.commit.seq, version.changes]));
    const nextCursor = more ? encodeNumbersCursor(name, [page.at(-1)?.seq ?? 0]) : undefined;
    return {
      versions: await Promise.all(
        page.map(hideOrigin(call)).map(async (commit) => ({
          commit: toCommitOutput(commit),
          ...(await showChanges(changes.get(commit.seq) ?? null)),
        })),
      ),
      ...pageExtras({ nextCursor }),
    };
  },
});

async function showChanges(changes: NodeVersion['changes']) {
  if (changes === null) return { node_changes: { nodes: [], edges: [] } };
  const shown = await diffToJson(changes);
  return { change: shown.nodes[0]?.change ?? ('changed' as const), node_changes: shown };
}
