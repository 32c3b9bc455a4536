import { z } from 'zod';
import { limits } from '../../../model/limits.js';
import type { GraphSearch } from '../../../search/graph-search.js';
import type { ReadCandidates } from '../../../search/rerank/rerank-search.js';
import { type FilteredHit, searchFiltered, typesOf } from '../../../search/search-filtered.js';
import { QueryWords } from '../../../search/text/query-words.js';
import { hasWords } from '../../../store/text/words.js';
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
    .enum(['text', 'embedding', 'hybrid', 'meaning'])
    .transform((mode) => (mode === 'meaning' ? 'embedding' : mode))
    .default('hybrid')
    .describe('text: by words; embedding (or meaning): by meaning; hybrid: by both'),
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
  matches: z
    .array(
      z.object({
        ordinal: z.int().optional().describe('The observation that matched'),
        field: z.enum(['name', 'summary']).optional().describe('The other text that matched'),
        text: z.string().describe('A long text is cut to where it matches'),
      }),
    )
    .describe('Up to three, best first'),
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
      const shown = toQuery(query, mode);
      const readCandidates: ReadCandidates = (candidates, most) =>
        readState(
          call,
          { branch },
          (reader) => candidates(reader, { limit: most, types: typesOf(filter), perNode: true }),
          'linear',
        );
      const find = query === '' ? undefined : await search.find(query, mode, readCandidates);
      const { hits, nextCursor, ...doubts } = await readState(
        call,
        { branch },
        (reader) => searchFiltered(reader, find, { ...filter, minConfidence }, { limit, cursor }),
        'linear',
      );
      return {
        hits: hits.map((hit) => toHit(hit, shown)),
        ...pageExtras({ nextCursor }),
        ...searchWarnings(doubts, call.redactor, 'people'),
      };
    },
  });
}

const mostMatches = 3;

/** By meaning, every text is somewhat similar: how near it must be to the best one of its node. */
const nearlyAsGood = 0.8;

type Match = Pick<NonNullable<FilteredHit['match']>, 'text' | 'score'>;

interface Query {
  readonly text: string;
  /** Whether a text is worth showing beside the best one of its node. */
  readonly matches: (other: Match, best: Match) => boolean;
}

function toQuery(text: string, mode: z.output<typeof input>['mode']): Query {
  if (mode === 'embedding' || !hasWords(text))
    return { text, matches: (other, best) => other.score >= nearlyAsGood * best.score };
  const words = new QueryWords(text);
  return { text, matches: (other) => words.occurIn(other.text) };
}

function toHit({ node, match, touch }: FilteredHit, query: Query): z.output<typeof hitOutput> {
  const confidence = node.provenance?.confidence;
  const others = match?.others?.filter((other) => query.matches(other, match)) ?? [];
  return {
    ...toNodeHeader(node),
    ...(match === undefined ? {} : { score: match.score }),
    matches: (match === undefined ? [] : [match, ...others])
      .slice(0, mostMatches)
      .map(({ ordinal, text }) => ({
        ...(ordinal === null ? { field: text === node.name ? 'name' : 'summary' } : { ordinal }),
        text: excerpt(text, query.text),
      })),
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
