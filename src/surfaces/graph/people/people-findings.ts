import { z } from 'zod';
import { Deadline } from '../../../bounds/deadline.js';
import { orphanNodes, pendingSummaries } from '../../../engine/read/list-nodes.js';
import { unlinkedMentions } from '../../../engine/traverse/unlinked-mentions.js';
import type { Node } from '../../../model/node.js';
import type { GraphSearch } from '../../../search/graph-search.js';
import { searchWarnings } from '../../search-warnings.js';
import { defineTool, type Tool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput } from '../graph-shapes.js';
import {
  nodeRefOutput,
  peopleLimitInput,
  readPermission,
  readState,
  timeOutput,
  toNodeRef,
} from './people-shapes.js';

const input = z.object({
  limit: peopleLimitInput(),
  max_nodes: z
    .int()
    .min(1)
    .max(5_000)
    .optional()
    .describe('Look for nothing if the branch has more nodes; default: look, however long it takes'),
  branch: branchInput('The branch to read'),
});

const nothing = { stale_summaries: [], gaps: [], near_duplicates: [], orphans: [] };

/** The share of the call's time that comparing nodes may take. */
const comparingShare = 0.4;

export function peopleFindings(search: GraphSearch): Tool<z.output<typeof input>> {
  return defineTool({
    name: 'people_findings',
    title: 'Find what needs care',
    description:
      'List nodes whose summary is missing or out of date, nodes that mention others without an edge, pairs of nodes that say similar things, and nodes without edges.',
    input,
    output: z.object({
      stale_summaries: z.array(nodeRefOutput.extend({ observation_count: z.int(), updated_at: timeOutput })),
      gaps: z.array(
        z.object({
          node: nodeRefOutput,
          referenced: nodeRefOutput,
          count: z.int().describe('How many observations of the node mention the other'),
        }),
      ),
      near_duplicates: z.array(z.object({ a: nodeRefOutput, b: nodeRefOutput, similarity: z.number() })),
      orphans: z.array(nodeRefOutput.extend({ updated_at: timeOutput })),
      skipped: z.literal(true).optional().describe('Present if the branch has more than max_nodes nodes'),
      degraded: z.boolean().optional().describe('True if nodes could not be compared'),
      warnings: z.array(z.string()).optional(),
    }),
    annotations: reads,
    action: readPermission,
    hidesRegistry: true,
    async run(call, { limit, max_nodes: maxNodes, branch }) {
      if (maxNodes !== undefined) {
        const first = await readState(call, { branch }, (reader) => reader.nodes({ limit: maxNodes + 1 }));
        if (first.length > maxNodes) return { ...nothing, skipped: true as const };
      }
      const deadline = new Deadline(Math.min(10_000, call.remainingMs() * comparingShare));
      const similar = await search.similar();
      return readState(
        call,
        { branch },
        async (reader) => {
          const stale = await pendingSummaries(reader, { limit });
          const gaps = await unlinkedMentions(reader, { limit });
          const orphans = await orphanNodes(reader, { limit });
          const { pairs, ...doubts } = await similar(reader, { limit, deadline });
          const listed = [...stale.items.map(({ node }) => node), ...orphans.items];
          const updated = await reader.updatedAt(listed.map(({ id }) => id));
          const updatedAt = ({ id, createdAt }: Node) => new Date(updated.get(id) ?? createdAt).toISOString();
          return {
            stale_summaries: stale.items.map(({ node, observations }) => ({
              ...{ ...toNodeRef(node), observation_count: observations, updated_at: updatedAt(node) },
            })),
            gaps: gaps.items.map((gap) => ({ ...gap })),
            near_duplicates: pairs.map(({ a, b, similarity }) => ({
              a: toNodeRef(a),
              b: toNodeRef(b),
              similarity,
            })),
            orphans: orphans.items.map((node) => ({ ...toNodeRef(node), updated_at: updatedAt(node) })),
            ...searchWarnings(doubts, call.redactor, 'similar'),
          };
        },
        'thorough',
      );
    },
  });
}
