import { z } from 'zod';
import { recentlyModified } from '../../engine/read/recently-modified.js';
import { workspaceLimits } from '../../model/limits.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { summary, time, toListRequest, toModifiedNode, workspacePageInput } from './workspace-shapes.js';

const dayMs = 86_400_000;
const defaultLimit = 20;

export const workspaceGetRecentlyModified = defineListTool({
  name: 'get_recently_modified',
  title: 'Get recently modified',
  description:
    'List the nodes that changed in the last days, most recent first. ' +
    'Changing an observation or a relation counts as changing its nodes. Useful at the start of a session.',
  input: z.object({
    days: z.int().min(1).max(workspaceLimits.days).default(7).describe('How many days to look back'),
    limit: workspacePageInput.limit.default(defaultLimit).describe('At most this many'),
    cursor: workspacePageInput.cursor,
  }),
  item: z.object({ name: z.string(), entity_type: z.string(), summary, updated_at: time }),
  annotations: reads,
  action: 'read',
  async run({ graph, now }, { days, ...page }) {
    const since = now() - days * dayMs;
    const { items, ...next } = await graph.read((reader) =>
      recentlyModified(reader, since, toListRequest(page, defaultLimit)),
    );
    return {
      results: items.map(toModifiedNode),
      ...next,
    };
  },
});
