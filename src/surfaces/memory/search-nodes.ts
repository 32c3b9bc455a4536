import { z } from 'zod';
import { searchLength, searchSubstring } from '../../engine/read/search-substring.js';
import { limits } from '../../model/limits.js';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';
import { graphOf, pageInput, pageOutput } from './shapes.js';

export const searchNodes = defineTool({
  name: 'search_nodes',
  title: 'Search nodes',
  description:
    'Search for nodes in the knowledge graph based on a query. ' +
    'The query is matched as one piece of text, ignoring case, in names, types and observations; ' +
    'for several words in any order use mode "ranked". If you know the exact names, use open_nodes instead.',
  input: z.object({
    query: z.string().max(limits.queryLength).describe('The text to look for'),
    mode: z
      .enum(['substring', 'ranked'])
      .optional()
      .describe('substring (default): contains the query as it is; ranked: any of its words, best first'),
    ...pageInput,
    limit: pageInput.limit.describe('At most this many entities; default: all, in ranked mode 50'),
  }),
  output: pageOutput.extend({
    warnings: z.array(z.string()).optional().describe('On the last page: what may be missing, and why'),
  }),
  annotations: reads,
  action: 'read',
  async run({ graph }, { query, mode, limit, cursor, entityTypes }) {
    const page = { limit, cursor, types: entityTypes };
    const length = searchLength(query);
    if (mode !== 'ranked') {
      return graphOf(await graph.read((reader) => searchSubstring(reader, query, page), { length }));
    }
    // Loaded when it is asked for: every start would pay for it.
    const { searchRanked } = await import('../../search/ranked.js');
    const { missing, ...found } = await graph.read((reader) => searchRanked(reader, query, page), { length });
    return { ...graphOf(found), ...(missing === undefined ? {} : { warnings: [missing] }) };
  },
});
