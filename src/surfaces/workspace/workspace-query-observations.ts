import { z } from 'zod';
import { requireNode } from '../../engine/require-nodes.js';
import { type GraphSearch, searchModes } from '../../search/graph-search.js';
import type { PreparedSearch, SearchRequest } from '../../search/search-hits.js';
import { typeInput } from '../common-shapes.js';
import { searchWarnings } from '../search-warnings.js';
import type { Tool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { entityName, ordinal, searchQueryInput, workspacePageInput } from './workspace-shapes.js';

const defaultLimit = 50;

export function workspaceQueryObservations(search: GraphSearch): Tool {
  return defineListTool({
    name: 'query_observations',
    title: 'Query observations',
    description:
      'Search the observations of one node, best first. ' +
      'Use it instead of open_nodes if a node has many. Mode embedding (default) searches by meaning, text by any of the words.',
    input: z.object({
      entity_name: entityName,
      entity_type: typeInput(),
      query: searchQueryInput.describe('What to look for, in your own words'),
      mode: z
        .enum(searchModes)
        .default('embedding')
        .describe('embedding: by meaning; text: by words; hybrid: by both'),
      limit: workspacePageInput.limit.default(defaultLimit).describe('At most this many'),
      cursor: workspacePageInput.cursor,
    }),
    item: z.object({ ordinal, content: z.string(), score: z.number() }),
    annotations: reads,
    action: 'read',
    async run({ graph, redactor }, { entity_name, entity_type, query, mode, limit = defaultLimit, cursor }) {
      const readPage = (find: PreparedSearch, page: SearchRequest) =>
        graph.read(async (reader) => {
          const node = await requireNode(reader, { name: entity_name, type: entity_type });
          return find(reader, { ...page, node: node.id });
        });
      const find = await search.find(query, mode, (candidates, most) =>
        readPage(candidates, { limit: most }),
      );
      const { hits, nextCursor, ...found } = await readPage(find, { limit, cursor });
      return {
        results: hits.flatMap(({ ordinal, text, score }) =>
          ordinal === null ? [] : [{ ordinal, content: text, score }],
        ),
        ...searchWarnings(found, redactor),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },
  });
}
