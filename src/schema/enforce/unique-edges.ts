import { edgeKey } from '../../model/edge.js';
import { canonicalJson, type Json } from '../../model/json.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/writer.js';
import type { EdgeType } from '../pg/graph-schema.js';
import { valuesOf } from './unique-nodes.js';
import { portion, portions, type WrittenRows } from './written-rows.js';

type Content = Pick<EdgeDraft, 'from' | 'to' | 'type' | 'key' | 'fromName' | 'toName' | 'props'>;

/** Edges that would share what has to be unique among their type, with each other or with what is there. */
export async function uniqueEdgeViolations(rows: WrittenRows, reader: RowReader): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const type of rows.schema.edges.values()) {
    for (const members of type.unique) {
      const wanted = new Map<string, Content[]>();
      for (const { draft } of rows.edges.values()) {
        const values = draft.type === type.name ? membersOf(members, draft) : undefined;
        if (values === undefined) continue;
        const key = canonicalJson(values);
        wanted.set(key, [...(wanted.get(key) ?? []), draft]);
      }
      if (wanted.size > 0) violations.push(...(await shared(reader, type, members, wanted)));
    }
  }
  return violations;
}

async function shared(
  reader: RowReader,
  type: EdgeType,
  members: readonly string[],
  wanted: ReadonlyMap<string, readonly Content[]>,
): Promise<Violation[]> {
  const violations = new Map<string, Violation>();
  for await (const edges of candidates(reader, type, members, [...wanted.values()].flat())) {
    for (const edge of edges) {
      const values = edge.type === type.name ? membersOf(members, edge) : undefined;
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

/** The edges among which a double can be: those with the same end if an end counts, else all of the type. */
async function* candidates(
  reader: RowReader,
  type: EdgeType,
  members: readonly string[],
  put: readonly Content[],
): AsyncGenerator<readonly Content[]> {
  const end = members.includes('src') ? 'from' : members.includes('dst') ? 'to' : undefined;
  if (end !== undefined) {
    for (const ids of portions(new Set(put.map((edge) => edge[end])))) yield reader.edgesOf(ids);
    return;
  }
  const types = [type.name];
  for (let page = await reader.edges({ types, limit: portion }); page.length > 0; ) {
    yield page;
    page = await reader.edges({ types, limit: portion, after: page.at(-1)?.order });
  }
}

function membersOf(members: readonly string[], { from, to, props = {} }: Content): Json[] | undefined {
  return valuesOf(members, { ...props, src: from, dst: to });
}
