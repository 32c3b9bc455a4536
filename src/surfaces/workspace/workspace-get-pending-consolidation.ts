import { z } from 'zod';
import { pendingSummaries } from '../../engine/read/list-nodes.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { isoTime, time, toListRequest, workspacePageInput } from './workspace-shapes.js';

export const workspaceGetPendingConsolidation = defineListTool({
  name: 'get_pending_consolidation',
  title: 'Get pending consolidation',
  description:
    'List the nodes that have observations but no summary, or a summary older than their newest observation. ' +
    'Open each and write a summary with set_summary.',
  input: z.object(workspacePageInput),
  item: z.object({
    name: z.string(),
    entity_type: z.string(),
    observation_count: z.int(),
    last_observation_at: time,
    summary_updated_at: time.nullable(),
  }),
  annotations: reads,
  action: 'read',
  async run({ graph }, page) {
    const { items, ...next } = await graph.read((reader) => pendingSummaries(reader, toListRequest(page)), {
      length: 'linear',
    });
    return {
      results: items.map(({ node, observations, newest }) => ({
        name: node.name,
        entity_type: node.type,
        observation_count: observations,
        last_observation_at: isoTime(newest),
        summary_updated_at: node.summaryUpdatedAt === null ? null : isoTime(node.summaryUpdatedAt),
      })),
      ...next,
    };
  },
});
