import { z } from 'zod';
import { unlinkedMentions } from '../../engine/traverse/unlinked-mentions.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { toListRequest, workspacePageInput } from './workspace-shapes.js';

export const workspaceGetRelationGaps = defineListTool({
  name: 'get_relation_gaps',
  title: 'Get relation gaps',
  description:
    'Find nodes whose observations mention other nodes without a relation between them, most mentioned first. ' +
    'Names are matched as whole words, ignoring case. A match may be a coincidence: check before you relate them.',
  input: z.object(workspacePageInput),
  item: z.object({
    node: z.string(),
    referenced_name: z.string(),
    reference_count: z.int().describe('How many observations of the node mention the other'),
  }),
  annotations: reads,
  action: 'read',
  async run({ graph }, page) {
    const { items, ...next } = await graph.read((reader) => unlinkedMentions(reader, toListRequest(page)), {
      length: 'linear',
    });
    return {
      results: items.map(({ node, referenced, count }) => ({
        node: node.name,
        referenced_name: referenced.name,
        reference_count: count,
      })),
      ...next,
    };
  },
});
