import { z } from 'zod';
import { limits } from '../../../model/limits.js';
import type { GraphSearch } from '../../../search/graph-search.js';
import { type FilteredHit, searchFiltered } from '../../../search/search-filtered.js';
import { cursorInput, nextCursorOutput, pageExtras, storedName, timeInput } from '../../common-shapes.js';
import { searchWarnings } from '../../search-warnings.js';
import { defineTool, type Tool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput } from '../graph-shapes.js';
import {
  nodeHeaderOutput,
  peopleLimitInput,
  readPermission,
  readState,
  timeOutput,
  toNodeHeader,
} from './people-shapes.js';

const input = z.object({
  q: z.string().max(limits.queryLength).optional().describe('What to look for; default: what changed last'),
  mode: z
    .enum(['text', 'meaning', 'hybrid'])
    .default('hybrid')
    .describe('text: by words; meaning: by meaning; hybrid: by both'),
  type: storedName.optional().describe('Only nodes of this type'),
  tag: storedName.optional().describe('Only nodes with this tag'),
  actor: storedName.optional().describe('Only nodes that this actor changed last'),
  since: timeInput('Only nodes changed at this time or later'),
  until: timeInput('Only nodes not changed after this time'),
  min_confidence: z.number().min(0).max(1).optional().describe('Only nodes of at least this confidence'),
  limit: peopleLimitInput(),
  cursor: cursorInput,
  branch: branchInput('The branch to read'),
});

const hitOutput = nodeHeaderOutput.extend({
  score: z.number().optional(),
  matches: z.array(
    z.object({
      ordinal: z.int().optional().describe('The observation that matched'),
      field: z.enum(['name', 'summary']).optional().describe('The other text that matched'),
      text: z.string().describe('A long text is cut to where it matches'),
    }),
  ),
  updated_at: timeOutput,
  actor_id: z.string().describe('Who changed it last'),
  confidence: z.number().optional(),
});

export function peopleSearch(search: GraphSearch): Tool<z.output<typeof input>> {
  return defineTool({
    name: 'people_search',
    title: 'Search',
    description: 'Search nodes, best first; without q, list the last changed first.',
    input,
    output: z.object({
      hits: z.array(hitOutput),
      nextCursor: nextCursorOutput,
      degraded: z.boolean().optional().describe('True if another mode than the requested one was used'),
      warnings: z.array(z.string()).optional(),
    }),
    annotations: reads,
    action: readPermission,
    hidesRegistry: true,
    async run(call, { q = '', mode, branch, limit, cursor, min_confidence: minConfidence, ...filter }) {
      const query = q.trim();
      const find =
        query === '' ? undefined : await search.find(query, mode === 'meaning' ? 'embedding' : mode);
      const { hits, nextCursor, ...doubts } = await readState(
        call,
        { branch },
        (reader) => searchFiltered(reader, find, { ...filter, minConfidence }, { limit, cursor }),
        'linear',
      );
      return {
        hits: hits.map((hit) => toHit(hit, query)),
        ...pageExtras({ nextCursor }),
        ...searchWarnings(doubts, call.redactor),
      };
    },
  });
}

function toHit({ node, match, touch }: FilteredHit, query: string): z.output<typeof hitOutput> {
  const confidence = node.provenance?.confidence;
  return {
    ...toNodeHeader(node),
    ...(match === undefined ? {} : { score: match.score }),
    matches:
      match === undefined
        ? []
        : [
            {
              ...(match.ordinal === null
                ? { field: match.text === node.name ? 'name' : 'summary' }
                : { ordinal: match.ordinal }),
              text: excerpt(match.text, query),
            },
          ],
    updated_at: new Date(touch.time).toISOString(),
    actor_id: touch.actor,
    ...(confidence === undefined ? {} : { confidence }),
  };
}

const excerptLength = 600;

/** Around the first word of the query that occurs in the text as it is. */
function excerpt(text: string, query: string): string {
  if (text.length <= excerptLength) return text;
  const lower = text.toLowerCase();
  const places = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - excerptLength / 4);
  const from = places.length === 0 ? 0 : start;
  const cut = text.slice(from, from + excerptLength).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${from + excerptLength < text.length ? '…' : ''}`;
}
