import { z } from 'zod';
import { orphanNodes } from '../../engine/read/list-nodes.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import {
  summary,
  time,
  toListRequest,
  toModifiedNode,
  withUpdatedAt,
  workspacePageInput,
} from './workspace-shapes.js';

export const workspaceGetOrphans = defineListTool({
  name: 'get_orphans',
  title: 'Get orphans',
  description: 'List the nodes that have no relations, in the order in which they were created.',
  input: z.object(workspacePageInput),
  item: z.object({ name: z.string(), entity_type: z.string(), summary, updated_at: time }),
  annotations: reads,
  action: 'read',
  async run({ graph }, page) {
    const { items, ...next } = await graph.read(
      async (reader) => withUpdatedAt(reader, await orphanNodes(reader, toListRequest(page))),
      { length: 'linear' },
    );
    return {
      results: items.map(toModifiedNode),
      ...next,
    };
  },
});
