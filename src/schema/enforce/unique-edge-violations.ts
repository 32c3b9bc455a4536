import { chunksOf, readChunkSize } from '../../bounds/chunks.js';
import { flatMapYielding } from '../../bounds/yielding-loops.js';
import { edgeKey } from '../../model/edge.js';
import { groupEntries } from '../../model/group-entries.js';
import { canonicalJson, type Json } from '../../model/json.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/reader.js';
import type { EdgeType } from '../graph/graph-schema.js';
import { memberValues } from './unique-node-violations.js';
import type { WrittenRows } from './written-rows.js';

type EdgeValues = Pick<EdgeDraft, 'from' | 'to' | 'type' | 'key' | 'fromName' | 'toName' | 'props'>;

/** Edges that share what must be unique among their type, with each other or with stored ones. */
export async function uniqueEdgeViolations(rows: WrittenRows, reader: RowReader): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const type of rows.schema.edges.values()) {
    for (const members of type.unique) {
      const wanted = groupEntries(
        await flatMapYielding(rows.edges.values(), ({ draft }) => {
          const values = draft.type === type.name ? edgeMemberValues(members, draft) : undefined;
          return values === undefined ? [] : [[canonicalJson(values), draft] as const];
        }),
      );
      if (wanted.size > 0) violations.push(...(await duplicateViolations(reader, type, members, wanted)));
    }
  }
  return violations;
}

async function duplicateViolations(
  reader: RowReader,
  type: EdgeType,
  members: readonly string[],
  wanted: ReadonlyMap<string, readonly EdgeValues[]>,
): Promise<Violation[]> {
  const violations = new Map<string, Violation>();
  for await (const edges of candidates(reader, type, members, [...wanted.values()].flat())) {
    for (const edge of edges) {
      const values = edge.type === type.name ? edgeMemberValues(members, edge) : undefined;
      for (const put of values === undefined ? [] : (wanted.get(canonicalJson(values)) ?? [])) {
        if (edgeKey(put) === edgeKey(edge)) continue;
        violations.set(edgeKey(put), {
          ...{ kind: 'unique', edge: put },
          message: `(${members.join(', ')}) has to be unique among ${type.name}, and ${edge.fromName} -> ${edge.toName} has the same.`,
          hint: 'Change one of the two, or remove the other first.',
        });
      }
    }
  }
  return [...violations.values()];
}

/** Edges that may be duplicates: those with the same end if an end is a member, else all of the type. */
async function* candidates(
  reader: RowReader,
  type: EdgeType,
  members: readonly string[],
  put: readonly EdgeValues[],
): AsyncGenerator<readonly EdgeValues[]> {
  const end = members.includes('src') ? 'from' : members.includes('dst') ? 'to' : undefined;
  if (end !== undefined) {
    const ids = [...new Set(put.map((edge) => edge[end]))];
    for (const some of chunksOf(ids)) yield reader.edgesOf(some);
    return;
  }
  const types = [type.name];
  for (let page = await reader.edges({ types, limit: readChunkSize }); page.length > 0; ) {
    yield page;
    page = await reader.edges({ types, limit: readChunkSize, after: page.at(-1)?.order });
  }
}

function edgeMemberValues(
  members: readonly string[],
  { from, to, props = {} }: EdgeValues,
): Json[] | undefined {
  return memberValues(members, { ...props, src: from, dst: to });
}
