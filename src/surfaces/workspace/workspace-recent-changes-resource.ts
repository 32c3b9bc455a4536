import { recentlyModified } from '../../engine/read/recently-modified.js';
import { shortenTexts } from '../shorten-texts.js';
import type { Resource } from '../surface.js';
import { jsonText } from '../tool.js';
import { toModifiedNode } from './workspace-shapes.js';

const limit = 20;

export const workspaceRecentChangesResource: Resource = {
  uri: 'memory://recent-changes',
  name: 'recent-changes',
  title: 'Recent changes',
  description: `The size of the workspace, and the ${limit} nodes that changed last.`,
  mimeType: 'application/json',
  action: 'read',
  async read({ graph }) {
    return graph.read(async (reader) => {
      const counts = await reader.counts();
      const { items } = await recentlyModified(reader, 0, { limit });
      const changes = {
        workspace: graph.name,
        node_count: counts.nodes,
        observation_count: counts.observations,
        relation_count: counts.edges,
        recently_modified: items.map(toModifiedNode),
      };
      return jsonText((await shortenTexts(changes)) ?? changes);
    });
  },
};
