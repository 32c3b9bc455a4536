import { decodeOffsetCursor, encodeOffsetCursor } from '../engine/read/cursors.js';
import type { ListRequest } from '../engine/read/list-nodes.js';
import { recentlyModified, type TouchedNode } from '../engine/read/recently-modified.js';
import type { Reader } from '../store/reader.js';
import type { PreparedSearch, SemanticHits } from './search-hits.js';

/** What nodes must have; times are milliseconds since 1970. */
export interface NodeFilter {
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
  /** Who changed the node last. */
  readonly actor?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly minConfidence?: number | undefined;
}

export interface FilteredHit extends TouchedNode {
  /** Absent if nothing was searched for. */
  readonly match?: Pick<SemanticHits['hits'][number], 'ordinal' | 'text' | 'score' | 'others'>;
}

interface FilteredHits extends Omit<SemanticHits, 'hits'> {
  readonly hits: readonly FilteredHit[];
}

/** The nodes that fit, best first; without a search, the last changed first. */
export async function searchFiltered(
  reader: Reader,
  find: PreparedSearch | undefined,
  filter: NodeFilter,
  request: ListRequest,
): Promise<FilteredHits> {
  if (find !== undefined) return filterRanked(reader, find, filter, request);
  const { items, ...next } = await recentlyModified(reader, filter.since ?? 0, request, (item) =>
    fits(item, filter),
  );
  return { hits: items, ...next };
}

export function typesOf({ type }: NodeFilter): readonly string[] | undefined {
  return type === undefined ? undefined : [type];
}

const list = 'people_search';
/** Hits examined at once if some may be left out. */
const batchSize = 500;
const maxExamined = 5_000;

async function filterRanked(
  reader: Reader,
  find: PreparedSearch,
  filter: NodeFilter,
  { limit, cursor }: ListRequest,
): Promise<FilteredHits> {
  const { type: _, ...rest } = filter;
  const types = typesOf(filter);
  const takesAll = Object.values(rest).every((value) => value === undefined);
  const start = decodeOffsetCursor(list, cursor);
  const found: FilteredHit[] = [];
  for (let offset = start; ; ) {
    const page = await find(reader, {
      ...{ offset, types, perNode: true, withOthers: true },
      limit: takesAll ? limit : Math.max(limit, batchSize),
    });
    const { hits, nextCursor, ...doubts } = page;
    const touches = await reader.lastTouched(hits.map(({ node }) => node.id));
    for (const { node, ...match } of hits) {
      offset += 1;
      const touch = touches.get(node.id);
      if (touch === undefined) continue;
      const hit = { node, updatedAt: touch.time, touch, match };
      if (fits(hit, filter)) found.push(hit);
      if (found.length === limit) break;
    }
    const more = nextCursor !== undefined || found.length === limit;
    if (!more) return { hits: found, ...doubts };
    if (found.length === limit || hits.length === 0 || offset - start >= maxExamined)
      return { hits: found, ...doubts, nextCursor: encodeOffsetCursor(list, offset) };
  }
}

function fits({ node, updatedAt, touch }: TouchedNode, filter: NodeFilter): boolean {
  const { type, tag, actor, since, until, minConfidence } = filter;
  return (
    (type === undefined || node.type === type) &&
    (tag === undefined || node.tags.includes(tag)) &&
    (actor === undefined || touch.actor === actor) &&
    (since === undefined || updatedAt >= since) &&
    (until === undefined || updatedAt <= until) &&
    (minConfidence === undefined || (node.provenance?.confidence ?? -1) >= minConfidence)
  );
}
