import { z } from 'zod';
import { orphanNodes } from '../../engine/read/list-nodes.js';
import { reads } from '../annotations.js';
import { defineListTool } from './list-tool.js';
import { headOf, isoTime, pageInput, pageOf, summary, time } from './shapes.js';
import { withUpdatedAt } from './updated-at.js';

export const getOrphans = defineListTool({
  name: 'get_orphans',
  title: 'Get orphans',
  description: 'List the nodes that have no relations, in the order in which they were created.',
  input: z.object(pageInput),
  item: z.object({ name: z.string(), entity_type: z.string(), summary, updated_at: time }),
  annotations: reads,
  action: 'read',
  async run({ graph }, page) {
    const { items, ...next } = await graph.read(
      async (reader) => withUpdatedAt(reader, await orphanNodes(reader, pageOf(page))),
      { length: 'linear' },
    );
    return {
      results: items.map(({ node, updatedAt }) => ({ ...headOf(node), updated_at: isoTime(updatedAt) })),
      ...next,
    };
  },
});
