import { z } from 'zod';
import { listNodes } from '../../engine/read/list-nodes.js';
import { limits } from '../../model/limits.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import {
  summary,
  tags,
  time,
  toListRequest,
  toModifiedNode,
  withUpdatedAt,
  workspacePageInput,
} from './workspace-shapes.js';

export const workspaceGetNodesByType = defineListTool({
  name: 'get_nodes_by_type',
  title: 'Get nodes by type',
  description: 'List the nodes of an entity type, in the order in which they were created.',
  input: z.object({
    entity_type: z.string().min(1).max(limits.nameLength).describe('The exact type'),
    ...workspacePageInput,
  }),
  item: z.object({ name: z.string(), entity_type: z.string(), summary, tags, updated_at: time }),
  annotations: reads,
  action: 'read',
  async run({ graph }, { entity_type, ...page }) {
    const { items, ...next } = await graph.read(
      async (reader) =>
        withUpdatedAt(
          reader,
          await listNodes(reader, 'get_nodes_by_type', { type: entity_type, ...toListRequest(page) }),
        ),
      { length: 'linear' },
    );
    return {
      results: items.map((item) => ({ ...toModifiedNode(item), tags: [...item.node.tags] })),
      ...next,
    };
  },
});
